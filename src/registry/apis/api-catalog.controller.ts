import { Controller, Get, Query, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../../platform/http/access/decorators';
import { RecordId } from '../../platform/http/fields/value-fields';
import { linkHeader, type RouteSettings } from '../../platform/http/responses/response';
import { InjectRecords, Records } from '../../platform/records/records';
import { Api, type ApiRecord } from './api.schema';
import { API_CATALOG_PATH, isListed, type Listed, linksetOf } from './api-catalog-linkset';

const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
const PAGE = { skip: 0, limit: 100 };

class ApiCatalogQuery {
  /** Return the APIs after the one with this id. */
  @RecordId({ filter: true }) after?: string;
}

/** `GET /.well-known/api-catalog`: the public APIs, for everyone, with `API_CATALOG=public` (contract §12). */
@ApiExcludeController()
@Controller(API_CATALOG_PATH)
export class ApiCatalogController {
  constructor(@InjectRecords(Api.name) private readonly apis: Records<ApiRecord>) {}

  @Get()
  @Allow('anyone')
  @RouteConfig({ anyOrigin: true } satisfies RouteSettings)
  async read(@Query() { after }: ApiCatalogQuery, @Res() reply: FastifyReply): Promise<void> {
    const page = await this.apis.page({ ...PAGE, after }, { isPublic: true });
    const listed = page.records.filter(isListed);
    const body = { linkset: linksetOf(listed, await this.successorsOf(listed)) };
    const next = linkHeader(API_CATALOG_PATH, PAGE, page);
    const link = [`<${API_CATALOG_PATH}>; rel="api-catalog"`, ...(next ? [next] : [])].join(', ');
    reply.headers({ link, 'cache-control': 'public, max-age=60' });
    // No string, to which Fastify would add a `charset`: the media type has none.
    await reply.type(MEDIA_TYPE).send(Buffer.from(JSON.stringify(body)));
  }

  /** The URLs of the successors of these APIs that are in the catalog, by their ids. */
  private async successorsOf(apis: readonly ApiRecord[]): Promise<Map<string, string>> {
    const _id = { $in: apis.flatMap(({ successorId }) => successorId ?? []) };
    const only = ['isPublic', 'lifecycleStatus', 'url'];
    const successors = await this.apis.find<Listed & Pick<ApiRecord, '_id'>>({ _id }, { only });
    return new Map(successors.filter(isListed).map(({ _id, url }) => [String(_id), url]));
  }
}
