import { CanActivate, Controller, Delete, ExecutionContext, Get, Module, Param, Post, Put } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import { etagOf } from './etag';
import { Returns } from './returns.decorator';
import type { Download } from './download.interceptor';
import type { Page } from './page';
import { ResponseField } from './response-fields';

class ThingDto {
  @ResponseField() _id!: string;
}

class NamelessDto {}

interface Thing {
  _id: string;
  revision?: number;
  secret: string;
}

const thing = (_id: string, revision?: number): Thing => ({ _id, revision, secret: 'hidden' });
const read = jest.fn(() => Promise.resolve(Buffer.from('bytes')));
const download: Download = { contentType: 'image/png', disposition: 'inline; filename="a.png"', revision: 3, read };

@Controller('things')
class ThingsController {
  @Get()
  @Returns.list(ThingDto)
  list(): Page<Thing> {
    return { records: [thing('a', 1), thing('b', 1)], hasMore: true, lastId: 'b', total: 3 };
  }

  @Get('none')
  @Returns.list(ThingDto)
  none(): Page<Thing> {
    return { records: [], hasMore: false };
  }

  @Get('plain')
  @Returns.one(ThingDto)
  plain(): Thing {
    return thing('plain');
  }

  @Get('hashed')
  @Returns.one(ThingDto, { etag: (response) => `"${(response as ThingDto)._id}-hash"` })
  hashed(): Thing {
    return thing('hashed', 1);
  }

  @Get('file')
  @Returns.bytes(['image/png', 'image/gif'])
  file(): Download {
    return download;
  }

  @Get(':id')
  @Returns.one(ThingDto)
  one(@Param('id') id: string): Thing {
    return thing(id, 0);
  }

  @Post()
  @Returns.created(ThingDto)
  create(): Thing {
    return thing('new', 0);
  }

  @Post('elsewhere')
  @Returns.created(ThingDto, { location: '/others' })
  createElsewhere(): Thing {
    return thing('new', 0);
  }

  @Post('unlocated')
  @Returns.created(ThingDto, { location: false })
  createUnlocated(): Thing {
    return thing('new');
  }

  @Post('nameless')
  @Returns.created(NamelessDto)
  createNameless(): Thing {
    return thing('new');
  }

  @Put(':id')
  @Returns.updated(ThingDto)
  update(@Param('id') id: string): Thing {
    return thing(id, 7);
  }

  @Delete(':id')
  @Returns.deleted()
  remove(): void {
    return undefined;
  }
}

/** Stands in for the guard that validates the query. */
class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.query = { skip: 0, limit: 2 };
    return true;
  }
}

@Module({
  controllers: [ThingsController],
  providers: [
    { provide: Settings, useValue: { basePath: '/base' } },
    { provide: APP_GUARD, useClass: QueryGuard },
  ],
})
class ThingsModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(ThingsModule, new FastifyAdapter(), { logger: false });
  await app.init();
});
afterAll(() => app.close());
beforeEach(() => read.mockClear());

async function send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Record<string, string> = {}) {
  const response = await app.inject({ method, url, headers });
  const { etag, location, link } = response.headers;
  return { status: response.statusCode, text: response.body, etag, location, link, headers: response.headers };
}

describe('@Returns', () => {
  it('returns one record without an envelope, with the ETag of its revision', async () => {
    expect(await send('GET', '/things/a')).toMatchObject({ status: 200, text: '{"_id":"a"}', etag: etagOf({ revision: 0 }) });
    expect(await send('GET', '/things/plain')).toMatchObject({ text: '{"_id":"plain"}', etag: undefined });
    expect(await send('GET', '/things/hashed')).toMatchObject({ etag: '"hashed-hash"' });
  });

  it('returns 304 where If-None-Match has the ETag', async () => {
    const known = { 'if-none-match': etagOf({ revision: 0 }) };
    expect(await send('GET', '/things/a', known)).toMatchObject({ status: 304, text: '', etag: etagOf({ revision: 0 }) });
    expect(await send('GET', '/things/plain', { 'if-none-match': '*' })).toMatchObject({ status: 200 });
    expect(await send('GET', '/things/hashed', known)).toMatchObject({ status: 200 });
  });

  it('returns a page with links to its neighbors, and the number of records if it is known', async () => {
    const { headers, ...response } = await send('GET', '/things?q=x');
    const text = '{"status":"success","data":[{"_id":"a"},{"_id":"b"}]}';
    expect(response).toMatchObject({ status: 200, text, link: '</things?q=x&after=b>; rel="next"', etag: undefined });
    expect(headers['x-total-count']).toBe('3');
    const empty = await send('GET', '/things/none');
    expect(empty).toMatchObject({ text: '{"status":"success","data":[]}', link: undefined });
    expect(empty.headers).not.toHaveProperty('x-total-count');
  });

  it('returns what was created in an envelope, with its Location', async () => {
    const text = '{"status":"success","data":{"_id":"new"}}';
    expect(await send('POST', '/things')).toMatchObject({ status: 201, text, etag: etagOf({ revision: 0 }), location: '/things/new' });
    expect(await send('POST', '/things?')).toMatchObject({ location: '/things/new' });
    expect(await send('POST', '/things/elsewhere')).toMatchObject({ location: '/base/others/new' });
    expect(await send('POST', '/things/unlocated')).toMatchObject({ status: 201, text, location: undefined });
    expect(await send('POST', '/things/nameless')).toMatchObject({ status: 201, location: undefined });
  });

  it('returns what was updated in an envelope, and nothing for what was deleted', async () => {
    const text = '{"status":"success","data":{"_id":"a"}}';
    const changed = { status: 200, text, etag: etagOf({ revision: 7 }), location: undefined };
    expect(await send('PUT', '/things/a', { 'if-none-match': '*' })).toMatchObject(changed);
    expect(await send('DELETE', '/things/a')).toMatchObject({ status: 204, text: '', etag: undefined });
  });

  it('returns bytes that may be cached for an hour and run nothing', async () => {
    const response = await send('GET', '/things/file');
    expect(response).toMatchObject({ status: 200, text: 'bytes', etag: etagOf({ revision: 3 }) });
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="a.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
    });
  });

  it('does not read bytes that the client already has', async () => {
    const response = await send('GET', '/things/file', { 'if-none-match': etagOf({ revision: 3 }) });
    expect(response).toMatchObject({ status: 304, text: '', etag: etagOf({ revision: 3 }) });
    // A cache updates its headers from a 304, so it has those of the bytes.
    expect(response.headers).toMatchObject({
      'cache-control': 'private, max-age=3600',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(response.headers).not.toHaveProperty('content-disposition');
    expect(read).not.toHaveBeenCalled();
  });
});

describe('@Returns documents', () => {
  let paths: OpenAPIObject['paths'];
  beforeAll(() => {
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(['ThingDto', 'NamelessDto']);
    paths = document.paths;
  });

  const record = { $ref: '#/components/schemas/ThingDto' };
  const json = (description: string, schema: object): object => ({
    description,
    content: { 'application/json': { schema } },
  });
  const wrapped = (data: object): object => ({
    type: 'object',
    required: ['status', 'data'],
    properties: { status: { type: 'string', enum: ['success'] }, data },
  });
  const bytes = { schema: { type: 'string', format: 'binary' } };

  it.each([
    ['one', '/things/{id}', 'get', { 200: json('The record.', record) }],
    ['a list', '/things', 'get', { 200: json('One page of records.', wrapped({ type: 'array', items: record })) }],
    [
      'bytes',
      '/things/file',
      'get',
      { 200: { description: 'The bytes of the file.', content: { 'image/png': bytes, 'image/gif': bytes } } },
    ],
    ['created', '/things', 'post', { 201: json('Created.', wrapped(record)) }],
    ['updated', '/things/{id}', 'put', { 200: json('Updated.', wrapped(record)) }],
    ['deleted', '/things/{id}', 'delete', { 204: { description: 'Deleted.' } }],
  ] as const)('%s', (_, path, method, responses) => expect(paths[path]?.[method]?.responses).toEqual(responses));
});
