import { CanActivate, Controller, Delete, ExecutionContext, Get, Module, Param, Post, Put } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiProperty, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import { Returns } from './returns.decorator';
import type { Download } from './download.interceptor';
import type { Page } from './page';
import { PageQuery } from '../validation/query/page-query.dto';

class ThingDto {
  @ApiProperty()
  _id!: string;
}

interface Thing {
  _id: string;
  revision?: number;
  secret: string;
}

const show = ({ _id }: Thing): ThingDto => ({ _id });
const thing = (_id: string, revision?: number): Thing => ({ _id, revision, secret: 'hidden' });
const read = jest.fn(() => Promise.resolve(Buffer.from('bytes')));
const download: Download = { contentType: 'image/png', disposition: 'inline; filename="a.png"', revision: 3, read };

@Controller('things')
class ThingsController {
  @Get()
  @Returns.list(ThingDto, show)
  list(): Page<Thing> {
    return { records: [thing('a', 1), thing('b', 1)], hasMore: true, total: 3 };
  }

  @Get('none')
  @Returns.list(ThingDto, show)
  none(): Page<Thing> {
    return { records: [], hasMore: false };
  }

  @Get('plain')
  @Returns.one(ThingDto, show)
  plain(): Thing {
    return thing('plain');
  }

  @Get('hashed')
  @Returns.one(ThingDto, show, { etag: (shown) => `"${(shown as ThingDto)._id}-hash"` })
  hashed(): Thing {
    return thing('hashed', 1);
  }

  @Get('file')
  @Returns.bytes(['image/png', 'image/gif'])
  file(): Download {
    return download;
  }

  @Get(':id')
  @Returns.one(ThingDto, show)
  one(@Param('id') id: string): Thing {
    return thing(id, 0);
  }

  @Post()
  @Returns.created(ThingDto, show)
  create(): Thing {
    return thing('new', 0);
  }

  @Post('elsewhere')
  @Returns.created(ThingDto, show, { location: '/others' })
  createElsewhere(): Thing {
    return thing('new', 0);
  }

  @Post('unlocated')
  @Returns.created(ThingDto, show, { location: false })
  createUnlocated(): Thing {
    return thing('new');
  }

  @Post('nameless')
  @Returns.created(ThingDto, () => ({}))
  createNameless(): Thing {
    return thing('new');
  }

  @Put(':id')
  @Returns.updated(ThingDto, show)
  update(@Param('id') id: string): Thing {
    return thing(id, 7);
  }

  @Delete(':id')
  @Returns.deleted()
  remove(): void {
    return undefined;
  }
}

/** Stands in for the guard that reads the query string. */
class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.query = Object.assign(new PageQuery(), { skip: 0, limit: 2 });
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

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method, url, headers });
  const { etag, location, link } = answer.headers;
  return { status: answer.statusCode, text: answer.body, etag, location, link, headers: answer.headers };
}

describe('@Answers', () => {
  it('shows one by itself, with the ETag of its revision', async () => {
    expect(await ask('GET', '/things/a')).toMatchObject({ status: 200, text: '{"_id":"a"}', etag: '"1-0"' });
    expect(await ask('GET', '/things/plain')).toMatchObject({ text: '{"_id":"plain"}', etag: undefined });
    expect(await ask('GET', '/things/hashed')).toMatchObject({ etag: '"hashed-hash"' });
  });

  it('shows nothing where the client has it', async () => {
    const known = { 'if-none-match': '"1-0"' };
    expect(await ask('GET', '/things/a', known)).toMatchObject({ status: 304, text: '', etag: '"1-0"' });
    expect(await ask('GET', '/things/plain', { 'if-none-match': '*' })).toMatchObject({ status: 200 });
    expect(await ask('GET', '/things/hashed', known)).toMatchObject({ status: 200 });
  });

  it('shows a list with its neighbours, and how many there are where that was asked', async () => {
    const { headers, ...answer } = await ask('GET', '/things?q=x');
    const text = '{"status":"success","data":[{"_id":"a"},{"_id":"b"}]}';
    expect(answer).toMatchObject({ status: 200, text, link: '</things?q=x&after=b>; rel="next"', etag: undefined });
    expect(headers['x-total-count']).toBe('3');
    const empty = await ask('GET', '/things/none');
    expect(empty).toMatchObject({ text: '{"status":"success","data":[]}', link: undefined });
    expect(empty.headers).not.toHaveProperty('x-total-count');
  });

  it('wraps what was created, and says where it is read', async () => {
    const text = '{"status":"success","data":{"_id":"new"}}';
    expect(await ask('POST', '/things')).toMatchObject({ status: 201, text, etag: '"1-0"', location: '/things/new' });
    expect(await ask('POST', '/things?')).toMatchObject({ location: '/things/new' });
    expect(await ask('POST', '/things/elsewhere')).toMatchObject({ location: '/base/others/new' });
    expect(await ask('POST', '/things/unlocated')).toMatchObject({ status: 201, text, location: undefined });
    expect(await ask('POST', '/things/nameless')).toMatchObject({ status: 201, location: undefined });
  });

  it('wraps what was changed, and says nothing of what was deleted', async () => {
    const text = '{"status":"success","data":{"_id":"a"}}';
    const changed = { status: 200, text, etag: '"1-7"', location: undefined };
    expect(await ask('PUT', '/things/a', { 'if-none-match': '*' })).toMatchObject(changed);
    expect(await ask('DELETE', '/things/a')).toMatchObject({ status: 204, text: '', etag: undefined });
  });

  it('gives bytes, which may be kept for an hour and run nothing', async () => {
    const answer = await ask('GET', '/things/file');
    expect(answer).toMatchObject({ status: 200, text: 'bytes', etag: '"1-3"' });
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="a.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
    });
  });

  it('does not read bytes that the client has', async () => {
    const answer = await ask('GET', '/things/file', { 'if-none-match': '"1-3"' });
    expect(answer).toMatchObject({ status: 304, text: '', etag: '"1-3"' });
    // A cache takes over what a 304 says: the rules for the bytes, not those of every answer.
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, max-age=3600',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(answer.headers).not.toHaveProperty('content-disposition');
    expect(read).not.toHaveBeenCalled();
  });
});

describe('the OpenAPI document shows of @Answers', () => {
  let paths: OpenAPIObject['paths'];
  beforeAll(() => {
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(['ThingDto']);
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
    ['a list', '/things', 'get', { 200: json('The page.', wrapped({ type: 'array', items: record })) }],
    [
      'bytes',
      '/things/file',
      'get',
      { 200: { description: 'The bytes.', content: { 'image/png': bytes, 'image/gif': bytes } } },
    ],
    ['created', '/things', 'post', { 201: json('Created.', wrapped(record)) }],
    ['updated', '/things/{id}', 'put', { 200: json('Updated.', wrapped(record)) }],
    ['deleted', '/things/{id}', 'delete', { 204: { description: 'Deleted.' } }],
  ] as const)('%s', (_, path, method, responses) => expect(paths[path]?.[method]?.responses).toEqual(responses));
});
