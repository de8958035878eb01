/**
 * An OpenID provider on loopback, in a process of its own: oidc-provider cannot be loaded by jest. It begins with the
 * message `{ keys, audience }`, sends its issuer, and replaces its keys with each later message.
 */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const SCOPE = 'registry';
let handle;
const server = createServer((request, response) => handle(request, response));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

process.on('message', ({ keys, audience }) => {
  handle = newProvider(keys, audience).callback();
  process.send({ issuer });
});
process.on('disconnect', () => process.exit());

function newProvider(keys, audience) {
  return new Provider(issuer, {
    jwks: { keys },
    cookies: { keys: ['a key of the tests'] },
    clients: [
      // A token of client credentials is about the client.
      {
        client_id: 'nightly-import',
        client_secret: 'secret',
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
      // A native client may use any port of loopback (RFC 8252 §7.3).
      {
        client_id: 'swagger-ui',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['docs/oauth2-redirect.html', 'catalog/'].map((path) => `http://127.0.0.1/registry/${path}`),
      },
    ],
    pkce: { required: () => true },
    clientBasedCORS: () => true,
    // As Keycloak does; a token of client credentials has none.
    extraTokenClaims: (_context, { accountId: preferred_username }) =>
      preferred_username && {
        preferred_username,
        email: `${preferred_username}@engines.example`,
        email_verified: true,
      },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: SCOPE, audience, accessTokenFormat: 'jwt' }),
      },
    },
  });
}
