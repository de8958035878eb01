import { CanActivate, Controller, Delete, ExecutionContext, Get, Module, Param, Post, Put } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { Settings } from '../../base/settings/settings';
import { createAdapter } from '../edge/adapter';
import { OperationInterceptor } from '../operation.interceptor';
import { Transactions } from '../../records/transactions/transactions';
import { Returns } from './returns.decorator';
import type { Download } from './download.interceptor';
import { etagOf, etagOfBody, etagOfText } from './etag';
import type { Page } from '../../records/reads/page';
import { ResponseField } from './response-fields';

class ThingDto {
  @ResponseField() _id!: string;
}

class NamelessDto {}

class BrokenDto {
  @ResponseField('value', () => {
    throw new Error('broken');
  })
  _id!: string;
}

interface Thing {
  _id: string;
  revision?: number;
  secret: string;
}

/** In these tests a number stands for the ETag of that revision. */
const textOf = (value: string | number): string => (typeof value === 'number' ? etagOf({ revision: value }) : value);
const thing = (_id: string, revision?: number): Thing => ({ _id, revision, secret: 'hidden' });
const read = jest.fn(() => Promise.resolve(Buffer.from('bytes')));
const download: Download = { contentType: 'image/png', disposition: 'inline; filename="a.png"', revision: 3, read };

@Controller('things')
class ThingsController {
  @Get() @Returns.list(ThingDto) list(): Page<Thing> {
    return { records: [thing('a', 1), thing('b', 1)], hasMore: true, lastId: 'b', total: 3 };
  }
  @Get('none') @Returns.list(ThingDto) none(): Page<Thing> {
    return { records: [], hasMore: false };
  }
  @Get('secret') @Returns.one(ThingDto, { noStore: true }) secret(): Thing {
    return thing('secret', 1);
  }
  @Get('items') @Returns.list(ThingDto, { itemEtags: true }) items(): Page<Thing> {
    return { records: [thing('a', 4), thing('part')], hasMore: false };
  }
  @Get('file') @Returns.bytes(['image/png', 'image/gif']) file(): Download {
    return download;
  }
  @Get('broken') @Returns.list(BrokenDto) broken(): Page<Thing> {
    return { records: [thing('a', 1)], hasMore: true, lastId: 'a', total: 3 };
  }
  @Get(':id') @Returns.one(ThingDto) one(@Param('id') id: string): Thing {
    return thing(id, id === 'part' ? undefined : 0);
  }
  @Post() @Returns.created(ThingDto) create(): Thing {
    return thing('new', 0);
  }
  @Post('elsewhere') @Returns.created(ThingDto, { location: '/others' }) createElsewhere(): Thing {
    return thing('new', 0);
  }
  @Post('unlocated') @Returns.created(ThingDto, { location: false }) createUnlocated(): Thing {
    return thing('new', 0);
  }
  @Post('nameless') @Returns.created(NamelessDto) createNameless(): Thing {
    return thing('new', 0);
  }
  @Put(':id') @Returns.updated(ThingDto) update(@Param('id') id: string): Thing {
    return thing(id, 7);
  }
  @Delete(':id') @Returns.deleted() remove(): void {}
}

/** Stands in for what validates the query. */
class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.query = { content: { skip: 0, limit: 2 } };
    return true;
  }
}

const settings = { basePath: '/base', trustProxy: false } as Settings;

@Module({
  controllers: [ThingsController],
  providers: [
    { provide: Settings, useValue: settings },
    // Without an account, no handler runs in a transaction.
    { provide: Transactions, useValue: {} },
    { provide: APP_GUARD, useClass: QueryGuard },
    { provide: APP_INTERCEPTOR, useClass: OperationInterceptor },
  ],
})
class ThingsModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  app = await NestFactory.create<NestFastifyApplication>(ThingsModule, createAdapter(settings), {
    logger: false,
  });
  await app.init();
});
afterAll(() => app.close());
beforeEach(() => read.mockClear());

/** The headers that are compared. */
const NAMES = 'etag location link x-total-count cache-control content-security-policy content-disposition'.split(' ');

describe('@Returns', () => {
  const policy = { 'content-security-policy': "default-src 'none'; sandbox" };
  const caching = { ...policy, etag: 3 };
  const inline = { 'content-disposition': 'inline; filename="a.png"' };
  const created = '{"status":"success","data":{"_id":"new"}}';
  const records = '{"status":"success","data":[{"_id":"a"},{"_id":"b"}]}';
  const link = '</things?q=x&after=b>; rel="next"';
  const next = { link, 'x-total-count': '3', etag: etagOfText([link, 3, records].join('\n')) };
  const none = '{"status":"success","data":[]}';
  const [part, partTag] = ['{"_id":"part"}', etagOfBody({ _id: 'part' })];
  const withEtags = [
    { _id: 'a', etag: etagOf({ revision: 4 }) },
    { _id: 'part', etag: partTag },
  ];
  const items = JSON.stringify({ status: 'success', data: withEtags });
  const noneTag = etagOfText(['', '', none].join('\n'));

  it.each<[string, string, number, string, Record<string, string | number>, (string | number)?]>([
    ['one record without an envelope', 'GET /things/a', 200, '{"_id":"a"}', { etag: 0 }],
    ['a hash of what it shows, without a revision', 'GET /things/part', 200, part, { etag: partTag }, 1],
    ['304 where If-None-Match has that hash', 'GET /things/part', 304, '', { etag: partTag }, partTag],
    ['the same ETags in a list', 'GET /things/items', 200, items, { etag: etagOfText(['', '', items].join('\n')) }],
    ['no ETag for what must not be stored', 'GET /things/secret', 200, '{"_id":"secret"}', {}, '*'],
    ['304 where If-None-Match has the ETag', 'GET /things/a', 304, '', { etag: 0 }, 0],
    ['a page with its link and total', 'GET /things?q=x', 200, records, next],
    ['a page without them', 'GET /things/none', 200, none, { etag: noneTag }],
    ['304 where If-None-Match has the ETag of a page', 'GET /things/none', 304, '', { etag: noneTag }, noneTag],
    ['what was created', 'POST /things', 201, created, { etag: 0, location: '/things/new' }],
    ['a Location without query', 'POST /things?', 201, created, { etag: 0, location: '/things/new' }],
    ['another Location', 'POST /things/elsewhere', 201, created, { etag: 0, location: '/base/others/new' }],
    ['no Location', 'POST /things/unlocated', 201, created, { etag: 0 }],
    ['no Location without an id', 'POST /things/nameless', 201, '{"status":"success","data":{}}', { etag: 0 }],
    ['what was updated', 'PUT /things/a', 200, created.replace('new', 'a'), { etag: 7 }, '*'],
    ['nothing for what was deleted', 'DELETE /things/a', 204, '', {}],
    ['bytes that run nothing', 'GET /things/file', 200, 'bytes', { ...inline, ...caching }],
    // A cache updates its headers from a 304, so it has those of the bytes.
    ['304 instead of bytes that the client has', 'GET /things/file', 304, '', caching, 3],
    ['an error without the headers of the page', 'GET /things/broken', 500, expect.any(String), {}],
  ])('returns %s: %s, %i', async (...[, request, status, text, expected, known]) => {
    const [method, url] = request.split(' ') as ['GET', string];
    const sent = known === undefined ? {} : { 'if-none-match': textOf(known) };
    const { statusCode, body, headers } = await app.inject({ method, url, headers: sent });
    const shown = Object.fromEntries(Object.entries(headers).filter(([name]) => NAMES.includes(name)));
    const named = Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, textOf(value)]));
    expect({ status: statusCode, text: body, headers: shown }).toEqual({ status, text, headers: named });
    expect(read).toHaveBeenCalledTimes(headers['content-type'] === 'image/png' ? 1 : 0);
  });
});
