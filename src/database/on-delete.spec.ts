import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { Cascades, OnDelete } from './on-delete';

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
}

@Module({ providers: [Rooms] })
class RoomsModule {}

// It imports the other one, which Nest therefore creates first.
@Module({ imports: [RoomsModule], providers: [Gardens, { provide: 'nothing', useValue: undefined }] })
class GardensModule {}

let cascades: Cascades;
// New for each test: the methods are found once.
beforeEach(async () => {
  @Module({ imports: [DiscoveryModule, GardensModule, RoomsModule], providers: [Cascades] })
  class Application {}
  const application = await NestFactory.createApplicationContext(Application, { logger: false });
  cascades = application.get(Cascades);
  calls.splice(0);
});

describe('the deletion of a record', () => {
  it('calls the methods of its Model in the order in which the application imports their modules', async () => {
    await cascades.afterDelete('House', { _id: 'h' });
    expect(calls).toEqual(['gardens of h', 'rooms']);
  });

  it('of another Model calls none of them', async () => {
    await cascades.afterDelete(Street.name, {});
    expect(calls).toEqual([]);
  });
});
