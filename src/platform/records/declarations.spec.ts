import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { fieldError } from '../base/errors/field-error';
import { ChecksReference, Declarations, OnDelete } from './declarations';

class House {}
class Street {}

const calls: string[] = [];

@Injectable()
class Gardens {
  readonly name = 'gardens';

  @OnDelete(House)
  removeAllOf({ _id }: { _id: string }): Promise<void> {
    calls.push(`${this.name} of ${_id}`);
    return Promise.resolve();
  }
}

@Injectable()
class Rooms {
  @OnDelete(House)
  removeAllOf(): Promise<void> {
    calls.push('rooms');
    return Promise.resolve();
  }

  @ChecksReference(House, 'roomIds')
  check({ _id }: { _id: string }, ids: readonly unknown[]) {
    return Promise.resolve(ids.map((id) => fieldError('namesNothing', `${String(id)} of ${_id}`)));
  }
}

@Module({ providers: [Rooms] })
class RoomsModule {}

// It imports the other one, which Nest therefore creates first.
@Module({ imports: [RoomsModule], providers: [Gardens, { provide: 'nothing', useValue: undefined }] })
class GardensModule {}

let declarations: Declarations;
// New for each test: the methods are found once.
beforeEach(async () => {
  @Module({ imports: [DiscoveryModule, GardensModule, RoomsModule], providers: [Declarations] })
  class Application {}
  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  declarations = application.get(Declarations);
  calls.splice(0);
});

describe('the deletion of a record', () => {
  it('calls the methods of its Model in the order in which the application imports their modules', async () => {
    await declarations.afterDelete('House', { _id: 'h' });
    expect(calls).toEqual(['gardens of h', 'rooms']);
  });

  it('of another Model calls none of them', async () => {
    await declarations.afterDelete(Street.name, {});
    expect(calls).toEqual([]);
  });
});

test('Ids of a body are checked by the service that declares it, those of other fields by none', async () => {
  const errors = await declarations.checkReferences('House', { _id: 'h' }, { roomIds: ['r'], streetIds: ['s'] });
  expect(errors).toEqual([fieldError('namesNothing', 'r of h')]);
  expect(await declarations.checkReferences('Street', {}, { roomIds: ['r'] })).toEqual([]);
});
