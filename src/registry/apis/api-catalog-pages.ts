import { Injectable } from '@nestjs/common';
import { apiError } from '../../platform/base/errors/api-error';
import { WorkQueue } from '../../platform/base/work-queue';
import { SigningKeys } from '../../platform/http/access/signing-keys';
import { linkHeader } from '../../platform/http/responses/response';
import { timeLimits } from '../../platform/records/connection/connection-options';
import type { Page } from '../../platform/records/reads/page';
import { InjectRecords, Records } from '../../platform/records/records';
import { Api, type ApiRecord } from './api.schema';
import { ApiCatalogCursors } from './api-catalog-cursors';
import { API_CATALOG_PATH, type CatalogApi, isListed, type Listed, linksetOf } from './api-catalog-linkset';

const PAGE = { skip: 0, limit: 1000 };
/** A page is read in parts: with the longest texts, 1,000 APIs do not fit in one reply of the database (16 MB). */
const PART = { skip: 0, limit: 100 };
const CACHED_MS = 60_000;
const UNKNOWN_CURSOR = 'The query parameter "after" must be that of a Link header: no page has this end.';
/** The most that is remembered (bytes): a page has some 300 KB, with the longest URLs 42 MB. */
const MAX_REMEMBERED = 42 * 2 ** 20;

/** A page of the catalog as it is sent. */
export interface ApiCatalogPage {
  /** No string, to which Fastify would add a `charset`: the media type has none. */
  readonly body: Buffer;
  readonly link: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Reads and remembers the pages of the API catalog, which callers without login can ask for (contract §8.3, §12). */
@Injectable()
export class ApiCatalogPages {
  private readonly cursors: ApiCatalogCursors;
  /** Not that of searches, where it would take the place of accounts. */
  private readonly queue = new WorkQueue({ running: 1, waiting: 10, maxWaitMs: 2000 });
  /** By the id that they follow: the pages that are being read, and those that were, the oldest first. */
  private readonly reading = new Map<string, Promise<ApiCatalogPage>>();
  private readonly remembered = new Map<string, ApiCatalogPage>();

  constructor(
    @InjectRecords(Api.name) private readonly apis: Records<ApiRecord>,
    keys: SigningKeys,
  ) {
    this.cursors = new ApiCatalogCursors(keys);
  }

  /**
   * The page at a cursor that another page named; without one the first page.
   * @param address that of the client: in the queue, addresses take turns
   * @throws ApiError invalidQuery for another cursor; overloaded when the queue is full, or the wait or the read too long
   */
  async get(cursor: string | undefined, address: string): Promise<ApiCatalogPage> {
    const after = cursor === undefined ? undefined : this.cursors.read(cursor);
    if (cursor !== undefined && after === undefined) throw apiError('invalidQuery', UNKNOWN_CURSOR);
    const key = after ?? '';
    const known = this.remembered.get(key);
    if (known && Date.now() < known.until) return known;
    const reading = this.reading.get(key) ?? this.startReading(key, after, address);
    this.reading.set(key, reading);
    return reading;
  }

  private startReading(key: string, after: string | undefined, address: string): Promise<ApiCatalogPage> {
    return this.queue.run(address, () => this.read(after)).finally(() => this.reading.delete(key));
  }

  private async read(after: string | undefined): Promise<ApiCatalogPage> {
    const until = Date.now() + CACHED_MS;
    const { lastId, ...found } = await this.find(after);
    const next = linkHeader(API_CATALOG_PATH, PAGE, { ...found, lastId: lastId && this.cursors.sign(lastId) });
    const link = [`<${API_CATALOG_PATH}>; rel="api-catalog"`, ...(next ? [next] : [])].join(', ');
    const linkset = linksetOf(found.records, await this.successorsOf(found.records));
    const body = Buffer.from(JSON.stringify({ linkset }));
    const page = { body, link, until };
    this.remember(after ?? '', page);
    return page;
  }

  private remember(key: string, page: ApiCatalogPage): void {
    this.remembered.delete(key);
    this.remembered.set(key, page);
    let size = [...this.remembered.values()].reduce((sum, { body }) => sum + body.length, 0);
    for (const [oldest, { body, until }] of this.remembered) {
      if (size <= MAX_REMEMBERED && Date.now() < until) return;
      this.remembered.delete(oldest);
      size -= body.length;
    }
  }

  private async find(after: string | undefined): Promise<Page<CatalogApi>> {
    const started = performance.now();
    let read = 0;
    const records: CatalogApi[] = [];
    for (let lastId = after; ;) {
      const part = await this.apis.page({ ...PART, after: lastId }, { isPublic: true });
      records.push(...part.records.filter(isListed));
      read += part.records.length;
      if (!part.hasMore || read >= PAGE.limit) return { ...part, records };
      if (performance.now() - started > timeLimits.read) throw apiError('overloaded');
      lastId = part.lastId;
    }
  }

  /** The URLs of the successors of these APIs that are in the catalog, by their ids. */
  private async successorsOf(apis: readonly ApiRecord[]): Promise<Map<string, string>> {
    const _id = { $in: apis.flatMap(({ successorId }) => successorId ?? []) };
    if (_id.$in.length === 0) return new Map();
    const only = ['isPublic', 'lifecycleStatus', 'url'];
    const successors = await this.apis.find<Listed & Pick<ApiRecord, '_id'>>({ _id }, { only });
    return new Map(successors.filter(isListed).map(({ _id, url }) => [String(_id), url]));
  }
}
