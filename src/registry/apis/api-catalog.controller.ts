import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { BoundedMap } from '../../platform/http/access/bounded-map';
import { Allow } from '../../platform/http/access/decorators';
import { InjectRecords, Records } from '../../platform/records/records';
import type { Page } from '../../platform/records/reads/page';
import { linkHeader } from '../../platform/http/responses/response';
import { QueryId } from '../../platform/http/query/query-fields';
import { Api, type ApiRecord } from './api.schema';

/** The path of the catalog, which is at the root of the host whatever BASE_PATH says (RFC 9727 §2). */
export const API_CATALOG_PATH = '/.well-known/api-catalog';

const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const PAGE = { skip: 0, limit: 1000 };
/** A page is read in parts: with the longest texts, 1,000 APIs do not fit in one reply of the database (16 MB). */
const PART = { skip: 0, limit: 100 };
const CACHED_MS = 60_000;
/** The most pages that are remembered: 1,000 APIs are some 200 KB, with the longest URLs 24 MB. */
const MAX_CACHED = 3;

class ApiCatalogQuery {
  /** Return APIs after this id. */
  @QueryId() after?: string;
}

interface LinkContext {
  /** Null for an API without a URL, which the catalog leaves out: without an anchor, links would be about the catalog. */
  readonly anchor: string | null;
}

interface CatalogPage {
  /** No string, to which Fastify would add a `charset`: the media type has none. */
  readonly body: Buffer;
  readonly link: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** `GET /.well-known/api-catalog`: the public APIs, for everyone, with `API_CATALOG=public`. */
@ApiExcludeController()
@Controller(API_CATALOG_PATH)
export class ApiCatalogController {
  private readonly pages = new BoundedMap<CatalogPage>(MAX_CACHED);

  constructor(@InjectRecords(Api.name) private readonly apis: Records<ApiRecord>) {}

  @Get()
  @Allow('anyone')
  async read(@Query() { after }: ApiCatalogQuery, @Res() reply: FastifyReply): Promise<void> {
    const cached = this.pages.get(after ?? '');
    const { body, link, until } = cached && Date.now() < cached.until ? cached : await this.readPage(after);
    const seconds = Math.ceil((until - Date.now()) / 1000);
    reply.headers({ link, 'cache-control': `public, max-age=${seconds}` });
    await reply.type(MEDIA_TYPE).send(body);
  }

  private async readPage(after: string | undefined): Promise<CatalogPage> {
    const until = Date.now() + CACHED_MS;
    const found = await this.find(after);
    const next = linkHeader(API_CATALOG_PATH, PAGE, found);
    const link = [`<${API_CATALOG_PATH}>; rel="api-catalog"`, ...(next ? [next] : [])].join(', ');
    const body = Buffer.from(JSON.stringify({ linkset: found.records.filter(({ anchor }) => anchor !== null) }));
    const page = { body, link, until };
    this.pages.set(after ?? '', page);
    return page;
  }

  private async find(after: string | undefined): Promise<Page<LinkContext>> {
    const records: LinkContext[] = [];
    for (let lastId = after; ;) {
      const part = await this.apis.page({ ...PART, after: lastId }, { isPublic: true });
      records.push(...part.records.map(toContext));
      if (!part.hasMore || records.length >= PAGE.limit) return { ...part, records };
      lastId = part.lastId;
    }
  }
}

/** A link context object (RFC 9264 §4.2.2) with the relations of RFC 8631. */
function toContext({ url, definitionUrl, documentationUrl }: ApiRecord): LinkContext {
  return {
    anchor: url,
    ...(definitionUrl && { 'service-desc': [{ href: definitionUrl }] }),
    ...(documentationUrl && { 'service-doc': [{ href: documentationUrl }] }),
  };
}
