import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IdentityProvider, type LoginEndpoints } from '../access/identity-provider';
import { Settings } from '../../base/settings/settings';
import { ifNoneMatch } from '../responses/etag';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Returns the login that pages offer at this moment: none without a client, or until the provider has responded. */
type CurrentLogin = () => LoginEndpoints | undefined;

/** The login of the identity provider for the pages of this service. */
export function providerLogin(app: NestFastifyApplication, { oidcClientId }: Settings): CurrentLogin {
  const provider = app.get(IdentityProvider);
  return () => (oidcClientId ? provider.endpoints : undefined);
}

/** The policy of a page with scripts: nothing from other hosts, except the tokens of the identity provider. */
export const scriptPolicy =
  (images: string, ...others: readonly string[]) =>
  (login: LoginEndpoints | undefined): string =>
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `img-src 'self' ${images}`,
      ["connect-src 'self'", login && new URL(login.tokenUrl).origin].filter(Boolean).join(' '),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      ...others,
    ].join('; ');

/** How a file is served. */
interface FileOptions {
  /** Its content, read at the first request and again when the login has changed. By default that of the file. */
  readonly read?: () => string | Buffer;
  readonly login?: CurrentLogin;
  /** The policy of a page. */
  readonly policy: (login: LoginEndpoints | undefined) => string;
}

/** Serves a file at a path of its own, with an ETag. */
export function serveFile(app: NestFastifyApplication, path: string, file: string, options: FileOptions): void {
  const { read = () => readFileSync(file), login: currentLogin = () => undefined, policy } = options;
  const type = TYPES[extname(file)]!;
  let cached: { content: string | Buffer; etag: string; login: LoginEndpoints | undefined } | undefined;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get(path, (request, reply) => {
    const login = currentLogin();
    if (!cached || cached.login !== login) {
      const content = read();
      cached = { content, etag: `"${createHash('sha256').update(content).digest('base64url')}"`, login };
    }
    const { content, etag } = cached;
    reply.headers({ etag, ...(type === TYPES['.html'] && { 'content-security-policy': policy(login) }) });
    if (ifNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}
