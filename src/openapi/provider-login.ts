import type { OpenAPIObject } from '@nestjs/swagger';
import type { LoginEndpoints } from '../auth/identity-provider';
import type { Settings } from '../config/settings';

/** The name of the security scheme, which src/openapi/ui/login.mjs looks for. */
const SCHEME = 'identityProvider';

/**
 * Adds the login of the identity provider to the document: the authorization code flow with PKCE (RFC 9700 §2.1.1), as a
 * public client. Its access token is sent as any other.
 */
export function withProviderLogin(
  document: OpenAPIObject,
  settings: Settings,
  endpoints: LoginEndpoints,
): OpenAPIObject {
  const scopes = Object.fromEntries(settings.oidcScope.split(' ').map((scope) => [scope, '']));
  const scheme = {
    type: 'oauth2' as const,
    description: 'Log in with your company account.',
    flows: { authorizationCode: { ...endpoints, scopes } },
    'x-client-id': settings.oidcClientId,
  };
  const { components } = document;
  // First in the dialog of Swagger UI.
  const securitySchemes = { [SCHEME]: scheme, ...components?.securitySchemes };
  return { ...document, components: { ...components, securitySchemes } };
}
