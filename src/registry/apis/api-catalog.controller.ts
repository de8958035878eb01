import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../../platform/http/access/decorators';
import { QueryText } from '../../platform/http/query/query-fields';
import { clientAddress } from '../../platform/operations/limits/client-address';
import { API_CATALOG_PATH } from './api-catalog-linkset';
import { ApiCatalogPages } from './api-catalog-pages';

const MEDIA_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

class ApiCatalogQuery {
  /** Return the page that follows another one, whose `Link` header names it. */
  @QueryText({ max: 100 }) after?: string;
}

/** `GET /.well-known/api-catalog`: the public APIs, for everyone, with `API_CATALOG=public`. */
@ApiExcludeController()
@Controller(API_CATALOG_PATH)
export class ApiCatalogController {
  constructor(private readonly pages: ApiCatalogPages) {}

  @Get()
  @Allow('anyone')
  async read(@Query() { after }: ApiCatalogQuery, @Res() reply: FastifyReply): Promise<void> {
    const { body, link, until } = await this.pages.get(after, clientAddress(reply.request.ip));
    const seconds = Math.ceil((until - Date.now()) / 1000);
    reply.headers({ link, 'cache-control': `public, max-age=${seconds}` });
    await reply.type(MEDIA_TYPE).send(body);
  }
}
