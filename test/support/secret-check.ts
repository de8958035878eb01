import type { ApiResponse, Method } from './client';

/** The fewest characters of a text that is searched for as a secret: shorter ones occur by chance. */
const MIN_SECRET = 8;

/** Fields of requests that no response may repeat. */
const SECRET_FIELDS = ['password', 'currentPassword', 'refreshToken', 'key', 'token'];

const HIDDEN = new Set([
  ...'password passwordHash hash tokenHash usedTokens usernameKey emailKey nameKey searchText'.split(' '),
  ...'referenceCount links revision slugs sessions __v'.split(' '),
]);

/** Operations that return tokens (contract §4). */
const TOKEN_PATH =
  /^\/(?:sessions|tokens|users\/[0-9a-f]{24}\/(?:api-keys|password-links)|organizations\/[0-9a-f]{24}\/invitations)$/;

/** Knows the secrets that went through the clients of one service, and finds them in responses. */
export class SecretCheck {
  private readonly secrets = new Set<string>();

  note(payload: unknown): void {
    if (typeof payload !== 'object' || payload === null) return;
    for (const name of SECRET_FIELDS) this.keep((payload as Record<string, unknown>)[name]);
  }

  /**
   * The secrets that a response holds and should not; from now on it may hold no token that this response gave, either.
   *
   * @returns a line for each
   */
  leaks(method: Method, path: string, response: ApiResponse): string[] {
    const givesTokens = method === 'POST' && TOKEN_PATH.test(path) && response.status === 201;
    const found = [...this.find(givesTokens ? withoutTokens(response) : response.text)];
    // The document names fields of requests, among them passwords.
    if (path !== '/openapi.json') found.push(...hiddenMembers(response.body));
    if (givesTokens) this.note(response.body.data);
    return found;
  }

  private keep(secret: unknown): void {
    if (typeof secret === 'string' && secret.length >= MIN_SECRET) this.secrets.add(secret);
  }

  private *find(text: string): Generator<string> {
    if (text.includes('$argon2')) yield 'it holds the hash of a password';
    if (/\beyJ[\w-]+\.[\w-]+\.[\w-]+/.test(text)) yield 'it holds an access token';
    for (const secret of this.secrets) if (text.includes(secret)) yield 'it holds a password or a refresh token';
  }
}

/** The text of a response but for the tokens that it is meant to give. */
function withoutTokens({ body }: ApiResponse): string {
  const { accessToken: _, refreshToken: __, key: ___, token: ____, path: _____, ...rest } = body.data;
  return JSON.stringify(rest);
}

function* hiddenMembers(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (HIDDEN.has(name)) yield `it shows ${name}`;
    yield* hiddenMembers(member);
  }
}
