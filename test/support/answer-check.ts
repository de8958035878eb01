import type { Answer, ClientRequest } from './client';

/** The fewest characters of a text that is searched for as a secret: shorter ones occur by chance. */
const MIN_SECRET = 8;

/** Fields of requests that no answer may repeat. */
const SECRET_FIELDS = ['password', 'currentPassword', 'refreshToken'];

/** What an answer never holds: hashes, and names of stored fields. */
const FORBIDDEN = /\$argon2|passwordHash|tokenHash|previousTokenHash|searchText|usernameKey|emailKey|nameKey/;

/** Checks what every answer of a service promises; one for each service. */
export class AnswerCheck {
  private readonly secrets = new Set<string>();

  /** Notes the secrets that a request holds. */
  sent({ payload }: ClientRequest): void {
    if (typeof payload !== 'object' || payload === null) return;
    for (const name of SECRET_FIELDS) this.keep((payload as Record<string, unknown>)[name]);
  }

  /** @throws Error that says which promise the answer breaks */
  answered(request: ClientRequest, answer: Answer): void {
    const broken = [...this.leaks(answer)];
    if (broken.length === 0) return;
    throw new Error(`${request.method} ${request.path} → ${answer.status}: ${broken.join('; ')}\n${answer.text}`);
  }

  private keep(secret: unknown): void {
    if (typeof secret === 'string' && secret.length >= MIN_SECRET) this.secrets.add(secret);
  }

  private *leaks({ text }: Answer): Generator<string> {
    const [forbidden] = FORBIDDEN.exec(text) ?? [];
    if (forbidden !== undefined) yield `it holds ${forbidden}`;
    for (const secret of this.secrets) if (text.includes(secret)) yield 'it holds a secret of a request';
  }
}
