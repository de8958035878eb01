import { Controller, Get, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Allow } from './decorators';
import { Resources } from './resources';
import { RouteAccessTable } from './route-access';

it('a route without a rule, or whose path names what nothing loads, stops the start', async () => {
  @Controller('houses')
  class Unruled {
    @Get() list(): void {}
  }
  @Controller('castles')
  class Castles {
    @Get(':id') @Allow('account') get(): void {}
  }
  const startWith = async (controller: Type): Promise<unknown> => {
    const providers = [Resources, RouteAccessTable];
    const parts = { imports: [DiscoveryModule], providers, controllers: [controller] };
    return (await Test.createTestingModule(parts).compile()).init();
  };
  await expect(startWith(Unruled)).rejects.toThrow('Unruled.list has no access rule: add @Allow(…) to it.');
  await expect(startWith(Castles)).rejects.toThrow(`add @Loads('castles/:id', …) in src/registry/castles.`);
});
