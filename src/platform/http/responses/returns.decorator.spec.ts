import { HTTP_CODE_METADATA, INTERCEPTORS_METADATA } from '@nestjs/common/constants';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import { DownloadInterceptor } from './download.interceptor';
import { etagOf, etagOfBody } from './etag';
import type { RouteSettings } from './response';
import { ResponseField, toResponse } from './response-fields';
import { Returns } from './returns.decorator';

class ThingDto {
  @ResponseField() name!: string;
}

/** What the route of a handler with this decorator has. */
function routeOf(decorator: MethodDecorator) {
  class Controller {
    handle(): void {
      // The decorator is about its response.
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Controller.prototype, 'handle')!;
  decorator(Controller.prototype, 'handle', descriptor);
  const of = (key: string): unknown => Reflect.getMetadata(key, descriptor.value as object);
  const status = of(HTTP_CODE_METADATA) as number;
  const documented = (of('swagger/apiResponse') as Record<number, object>)[status];
  const config = (of(FASTIFY_ROUTE_CONFIG_METADATA) ?? {}) as RouteSettings;
  return { status, documented, ...config, interceptors: of(INTERCEPTORS_METADATA) };
}

describe('an operation that returns', () => {
  it.each([
    ['a record', Returns.one(ThingDto), 200, { kind: 'one', dto: ThingDto }, 'ThingDto'],
    ['a list', Returns.list(ThingDto), 200, { kind: 'list', dto: ThingDto }, 'ThingList'],
    ['what was created', Returns.created(ThingDto), 201, { kind: 'created', dto: ThingDto }, 'ThingResult'],
    ['what was updated', Returns.updated(ThingDto), 200, { kind: 'updated', dto: ThingDto }, 'ThingResult'],
  ])(
    '%s has its status, shows the record by its DTO, and is documented',
    (_what, decorator, status, response, name) => {
      const schema = { $ref: `#/components/schemas/${name}` };
      const route = routeOf(decorator);
      expect(route).toMatchObject({ status, response, documented: { schema } });
      expect(route.noStore).toBeUndefined();
    },
  );

  it('nothing has the status 204', () => {
    const { status, response, noStore } = routeOf(Returns.deleted());
    expect([status, response, noStore]).toEqual([204, undefined, undefined]);
  });

  it('the bytes of a file sends them as the handler says', () => {
    const content = { 'image/png': { schema: { type: 'string', format: 'binary' } } };
    const route = routeOf(Returns.bytes(['image/png']));
    expect(route).toMatchObject({ status: 200, interceptors: [DownloadInterceptor], documented: { content } });
  });

  it('what contains secrets has responses, also errors, that must not be stored', () => {
    const noStore = true;
    const kinds = [Returns.one, Returns.list, Returns.created].map((kind) => kind(ThingDto, { noStore }));
    for (const decorator of kinds) expect(routeOf(decorator)).toMatchObject({ noStore, response: { noStore } });
    expect(routeOf(Returns.deleted({ noStore }))).toMatchObject({ noStore });
  });

  it('what has its path elsewhere says so', () => {
    const decorator = Returns.created(ThingDto, { location: '/things' });
    expect(routeOf(decorator)).toMatchObject({ response: { location: '/things' } });
  });

  it('a list whose items have an ETag shows that of the record, or of the item where the record has no revision', () => {
    const { dto } = routeOf(Returns.list(ThingDto, { itemEtags: true })).response!;
    const [versioned, other] = [{ name: 'a', revision: 7 }, { name: 'a' }].map((record) => toResponse(dto, record));
    expect(versioned).toEqual({ name: 'a', etag: etagOf({ revision: 7 }) });
    expect(other).toEqual({ name: 'a', etag: etagOfBody({ name: 'a' }) });
  });
});
