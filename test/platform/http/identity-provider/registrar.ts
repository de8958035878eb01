import type { User } from '../../../../src/registry/users/user.schema';
import type { ApiResponse, Headers } from '../../../support/client';
import { unique } from '../../../support/records';
import { type Service, startService } from '../../../support/service';
import { AUDIENCE, forge, newKey, OpenIdProvider } from './provider';

/** The company of Users that tokens create, unless a test sets another one. */
export const COMPANY = 'Analytical Engines';

const rsa = newKey('rsa');

/** A service that creates Users from tokens, and its identity provider, for the tests of a file. */
export class Registrar {
  provider!: OpenIdProvider;
  service!: Service;

  /** Starts both before the tests, and stops them after them. */
  constructor() {
    beforeAll(async () => {
      this.provider = await OpenIdProvider.start([rsa]);
      this.service = await this.start();
    });
    afterAll(async () => {
      await this.service?.stop();
      await this.provider?.stop();
    });
  }

  /** Runs work with another instance on the same database, with more settings. */
  async withInstance(env: Record<string, string>, work: (other: Service) => Promise<void>): Promise<void> {
    const other = await this.start({ MONGODB_URI: this.service.databaseUri, ...env });
    try {
      await work(other);
    } finally {
      await other.stop();
    }
  }

  bearer(claims: object, header?: object, key = rsa): Headers {
    return { authorization: `Bearer ${forge(this.provider.issuer, key, claims, header)}` };
  }

  register(claims: object, body?: unknown, to = this.service): Promise<ApiResponse> {
    return to.nobody.post('/users', body, this.bearer(claims));
  }

  /** Asserts that requests create no User. */
  async expectNone(work: () => Promise<unknown>): Promise<void> {
    const count = (): Promise<number> => this.service.model<User>('User').countDocuments();
    const before = await count();
    await work();
    expect(await count()).toBe(before);
  }

  private start(env: Record<string, string> = {}): Promise<Service> {
    const provider = { OIDC_ISSUER: this.provider.issuer, OIDC_AUDIENCE: AUDIENCE };
    const creates = { OIDC_CREATE_USERS: 'on', OIDC_COMPANY_NAME: COMPANY, ORGANIZATION_CREATION: 'admin' };
    return startService({ ...provider, ...creates, ...env });
  }
}

/** The claims of somebody without a User, as Keycloak puts them into access tokens; with changes. */
export function person(claims: object = {}): Record<'sub' | 'preferred_username' | 'email', string> {
  const name = `ada-${unique()}`;
  const names = { preferred_username: name, email: `${name}@engines.example`, email_verified: true };
  return { sub: `subject of ${name}`, ...names, ...claims };
}

/** The message of a 403 that names a claim. */
export const refused = (claim: string): unknown =>
  expect.stringMatching(new RegExp(`^No account was created: the claim "${claim}" .+\\.$`));
