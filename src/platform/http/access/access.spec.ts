import { Controller, Get, Injectable, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type AccessRuleName, accessRules, type AccessRule } from './access-rules';
import { Allow } from './decorators';
import { type LoadedResource, Loads, Resources } from './resources';
import { RouteAccessTable } from './route-access';

@Injectable()
class Tickets {
  @Loads('tickets/current', { description: 'The ticket', notFound: 'userNotFound' })
  load(): Promise<LoadedResource | undefined> {
    return Promise.resolve(undefined);
  }
}

const startWith = async (controller: Type): Promise<unknown> => {
  const providers = [Resources, RouteAccessTable, Tickets];
  const parts = { imports: [DiscoveryModule], providers, controllers: [controller] };
  return (await Test.createTestingModule(parts).compile()).init();
};

it('a route without a rule, or whose path names what nothing loads, stops the start', async () => {
  @Controller('houses')
  class Unruled {
    @Get() list(): void {}
  }
  @Controller('castles')
  class Castles {
    @Get(':id') @Allow('account') get(): void {}
  }
  await expect(startWith(Unruled)).rejects.toThrow('Unruled.list has no access rule: add @Allow(…) to it.');
  await expect(startWith(Castles)).rejects.toThrow(`add @Loads('castles/:id', …) in src/registry/castles.`);
});

it('a rule with a credential of its own, on a path that does not load what it names, stops the start', async () => {
  const ticket: AccessRule = {
    who: 'anyone with a ticket',
    credential: { scheme: 'ticket', name: 'a ticket' },
    allows: () => true,
  };
  Object.assign(accessRules, { ticket });
  @Controller('tickets')
  class Unchecked {
    @Get('all') @Allow('ticket' as AccessRuleName) list(): void {}
  }
  @Controller('tickets')
  class Unnamed {
    @Get('current') @Allow('account') get(): void {}
  }
  const message = 'a path with /current and a rule with a credential need each other.';
  await expect(startWith(Unchecked)).rejects.toThrow(`Unchecked.list: ${message}`);
  await expect(startWith(Unnamed)).rejects.toThrow(`Unnamed.get: ${message}`);
});
