import { Controller, Delete, Get, Post, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Allow, Public } from './decorators';
import { accessRules } from './access-rules';
import { Loads, type LoadedResource, Resources } from './resources';
import { RouteAccessTable } from './route-access';

const houses = { description: 'The House', notFound: 'pathNotFound' } as const;

class HousesService {
  private readonly house = { record: {}, ownership: {} };

  @Loads('houses/:id', houses)
  load(): Promise<LoadedResource> {
    return Promise.resolve(this.house);
  }
}

/** The table of an application with this controller. */
async function tableOf(controller: Type): Promise<RouteAccessTable> {
  const providers = [Resources, RouteAccessTable, HousesService];
  const imports = [DiscoveryModule];
  const module = await Test.createTestingModule({ imports, providers, controllers: [controller] }).compile();
  await module.init();
  return module.get(RouteAccessTable);
}

@Controller('houses')
class Houses {
  @Get(':id/rooms') @Allow('admin') rooms(): void {}
  @Get() @Allow('anyone') list(): void {}
  @Post() @Allow('account') create(): void {}
  @Delete(':id') @Allow('admin', { apiKey: false }) remove(): void {}
  @Get('status') @Public() status(): void {}
  helper(): void {}
}

@Public()
@Controller('status')
class Status {
  @Get() get(): void {}
}

const handler = (controller: Type, name: string): never => (controller.prototype as Record<string, never>)[name]!;

describe('the access rules of the routes', () => {
  it('are read at the start, with the methods that load the resources of the path', async () => {
    const table = await tableOf(Houses);
    const scopes = ['read', 'write'];
    const named = { param: 'id', definition: { ...houses, load: expect.any(Function) as unknown } };
    expect(table.of(handler(Houses, 'rooms'))).toEqual({ rule: accessRules.admin, scopes, resources: [named] });
    expect(table.of(handler(Houses, 'list'))).toEqual({ rule: accessRules.anyone, scopes, resources: [] });
  });

  it('have the scopes of API keys that may be used: read for GET only, and none where no key may', async () => {
    const table = await tableOf(Houses);
    const scopes = ['list', 'create', 'remove'].map((name) => table.of(handler(Houses, name))?.scopes);
    expect(scopes).toEqual([['read', 'write'], ['write'], []]);
  });

  it('do not exist for public handlers and controllers, and for what is no route', async () => {
    const table = await tableOf(Houses);
    expect([table.of(handler(Houses, 'status')), table.of(handler(Houses, 'helper'))]).toEqual([undefined, undefined]);
    expect((await tableOf(Status)).of(handler(Status, 'get'))).toBeUndefined();
  });

  it('stop the start where a route has none, or a path names what no method loads', async () => {
    @Controller('houses')
    class Unruled {
      @Get() list(): void {}
    }
    @Controller('castles')
    class Castles {
      @Get(':id') @Allow('account') get(): void {}
    }
    await expect(tableOf(Unruled)).rejects.toThrow('Unruled.list has no access rule: add @Allow(…) to it.');
    await expect(tableOf(Castles)).rejects.toThrow(`add @Loads('castles/:id', …) in src/registry/castles.`);
  });
});
