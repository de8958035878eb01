import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An identity provider that knows Grace, and an access token of hers. */
export interface Provider {
  readonly issuer: string;
  readonly accessToken: string;
  stop(): void;
}

/** Starts a server that stands for an identity provider. Call `stop` at the end. */
export async function startProvider(): Promise<Provider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'key', use: 'sig', alg: 'RS256' }];
  const server = createServer(({ url }, response) => {
    const discovery = { issuer, jwks_uri: `${issuer}/keys` };
    response.end(JSON.stringify(url === '/keys' ? { keys } : discovery));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claims = { preferred_username: 'grace', email: 'grace@compilers.example', email_verified: true };
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key', typ: 'at+jwt' });
  const accessToken = await token
    .setIssuer(issuer)
    .setAudience('roster')
    .setSubject('grace there')
    .setExpirationTime('1h')
    .sign(privateKey);
  return { issuer, accessToken, stop: () => server.close() };
}
