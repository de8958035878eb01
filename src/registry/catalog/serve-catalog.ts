import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../../platform/base/settings/settings';
import { providerLogin, scriptPolicy, serveFile } from '../../platform/http/openapi/serve-file';

/** The files of the page; `nest build` copies them to `dist`. */
const PAGE = join(__dirname, 'page');
/** Logos are images that its scripts read, with a token. No text becomes markup. */
const policy = scriptPolicy('blob:', "require-trusted-types-for 'script'");

/** Serves the catalog, a page that reads everything through the API. Each file is a route. */
export function serveCatalog(app: NestFastifyApplication, settings: Settings): void {
  const path = `${settings.basePath}/catalog`;
  const login = providerLogin(app, settings);
  for (const name of readdirSync(PAGE)) {
    serveFile(app, `${path}/${name.replace('index.html', '')}`, join(PAGE, name), { login, policy });
  }
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get(path, (_request, reply) => reply.redirect('catalog/', 308));
}
