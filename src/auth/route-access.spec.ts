import { Controller, ExecutionContext, Get, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { RecordLoader } from '../database/record-loader';
import { Allow, isPublic, Public } from './access.decorators';
import { accessRules } from './access-rules';
import { resource, Resources } from './resources';
import { RouteAccessTable } from './route-access';

const houses = { description: 'The House', notFound: 'organizationNotFound', load: jest.fn() } as const;

/** The table of an application with this controller. */
async function tableOf(controller: Type): Promise<RouteAccessTable> {
  const providers = [
    Resources,
    RouteAccessTable,
    { provide: RecordLoader, useValue: {} },
    resource('houses/:id', houses),
  ];
  const imports = [DiscoveryModule];
  const module = await Test.createTestingModule({ imports, providers, controllers: [controller] }).compile();
  await module.init();
  return module.get(RouteAccessTable);
}

@Controller('houses')
class Houses {
  @Get(':id/rooms')
  @Allow('manager')
  rooms(): void {}

  @Get()
  @Allow('anyone')
  list(): void {}

  @Get('status')
  @Public()
  status(): void {}

  helper(): void {}
}

@Public()
@Controller('status')
class Status {
  @Get()
  get(): void {}
}

const handler = (controller: Type, name: string): never => (controller.prototype as Record<string, never>)[name]!;
const metadata = (name: string): Record<string, unknown> => {
  const keys = Reflect.getMetadataKeys(handler(Houses, name)) as string[];
  return Object.fromEntries(keys.map((key) => [key, Reflect.getMetadata(key, handler(Houses, name)) as unknown]));
};

describe('the access rules of the routes', () => {
  it('are read at the start, with the resources of the path', async () => {
    const table = await tableOf(Houses);
    const named = { param: 'id', definition: houses };
    expect(table.of(handler(Houses, 'rooms'))).toEqual({ rule: accessRules.manager, resources: [named] });
    expect(table.of(handler(Houses, 'list'))).toEqual({ rule: accessRules.anyone, resources: [] });
  });

  it('do not exist for public handlers and controllers, and for what is no route', async () => {
    const table = await tableOf(Houses);
    expect([table.of(handler(Houses, 'status')), table.of(handler(Houses, 'helper'))]).toEqual([undefined, undefined]);
    expect((await tableOf(Status)).of(handler(Status, 'get'))).toBeUndefined();
  });

  it('stop the start where a route has none', async () => {
    @Controller('houses')
    class Unruled {
      @Get()
      list(): void {}
    }
    await expect(tableOf(Unruled)).rejects.toThrow('Unruled.list has no access rule: add @Allow(…) to it.');
  });

  it('stop the start where a path names what no module has registered', async () => {
    @Controller('castles')
    class Castles {
      @Get(':id')
      @Allow('account')
      get(): void {}
    }
    const advice = `add resource('castles/:id', …) to src/castles/castles.module.ts.`;
    await expect(tableOf(Castles)).rejects.toThrow(advice);
  });
});

describe('@Allow', () => {
  it('documents who may call, and that a token is needed', () => {
    const documented = { 'x-access': 'A manager of this Organization or an Admin.' };
    expect(metadata('rooms')).toMatchObject({
      'swagger/apiExtension': documented,
      'swagger/apiSecurity': [{ bearer: [] }],
    });
    expect(metadata('list')).toMatchObject({ 'swagger/apiExtension': { 'x-access': 'Anyone, without login.' } });
    expect(metadata('list')).not.toHaveProperty('swagger/apiSecurity');
  });

  it('adds the note of the rule', () => {
    class Users {
      @Allow('createUser')
      create(): void {}
    }
    const documented = Reflect.getMetadata('swagger/apiExtension', handler(Users, 'create')) as unknown;
    expect(documented).toEqual({ 'x-access': 'An Admin. With `REGISTRATION=open`, anyone.' });
  });
});

test('@Public marks a handler, or all of a controller', () => {
  const marked = (controller: Type, name: string): boolean =>
    isPublic({
      getHandler: () => handler(controller, name),
      getClass: () => controller,
    } as unknown as ExecutionContext);
  expect([marked(Houses, 'status'), marked(Status, 'get')]).toEqual([true, true]);
  expect([marked(Houses, 'list'), marked(Houses, 'rooms')]).toEqual([false, false]);
});
