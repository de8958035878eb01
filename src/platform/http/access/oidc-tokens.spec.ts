import { Logger } from '@nestjs/common';
import { AUDIENCE, SUBJECT } from '../../../../test/platform/http/identity-provider/provider';
import {
  acceptedTokens,
  Forge,
  keys,
  reasons,
  refusedTokens,
} from '../../../../test/platform/http/identity-provider/tokens';
import { settingsWith } from '../../../../test/support/settings';
import { IdentityProvider } from './identity-provider';
import { OidcTokens } from './oidc-tokens';

const ISSUER = 'https://login.example';
const forge = new Forge(ISSUER);
const logged = jest.spyOn(Logger.prototype, 'log').mockImplementation();
const clock = Date.now.bind(Date);

/** The responses of the provider. */
const jwk = ({ kid, publicKey }: (typeof keys)['rsa']): object => ({ ...publicKey.export({ format: 'jwk' }), kid });
let documents: Record<string, object>;
let isUp: boolean;
beforeEach(() => {
  documents = {
    [`${ISSUER}/.well-known/openid-configuration`]: { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` },
    [`${ISSUER}/keys`]: { keys: [jwk(keys.rsa), jwk(keys.ec)] },
  };
  isUp = true;
  logged.mockClear();
  // A token and the reason for its refusal are of the same second.
  jest.spyOn(Date, 'now').mockReturnValue(clock());
  const get = (url: unknown): Promise<Response> =>
    isUp ? Promise.resolve(Response.json(documents[url as string])) : Promise.reject(new Error('no route'));
  jest.spyOn(globalThis, 'fetch').mockImplementation(get);
});

function tokensWith(env: object = {}): OidcTokens {
  const settings = settingsWith({ OIDC_ISSUER: ISSUER, OIDC_AUDIENCE: AUDIENCE, ...env });
  return new OidcTokens(new IdentityProvider(settings), settings);
}
const tokens = tokensWith();

/** What a token says, or the code of the error with which it is refused. */
async function outcomeOf(token: string, by = tokens): Promise<unknown> {
  if (!by.isIssuerOf(token)) return 'another issuer';
  return by.verify(token).catch(({ code }: { code: number }) => code);
}

const now = (): number => Math.floor(Date.now() / 1000);
const refusalLogged = (reason: unknown): unknown[] => [[expect.objectContaining({ event: 'tokenRefused', reason })]];

describe('a token of the identity provider', () => {
  it.each(acceptedTokens)('is accepted with %s', async (_title, made) => {
    expect(await outcomeOf(made(forge))).toMatchObject({ subject: SUBJECT });
    expect(logged).not.toHaveBeenCalled();
  });

  it.each(refusedTokens)('is refused with %s', async (_title, made) => {
    expect(await outcomeOf(made(forge))).toBe(1101);
  });

  it.each(reasons)('that is refused leaves its reason in the log: %s', async (reason, made) => {
    expect([1101, 'another issuer']).toContain(await outcomeOf(made(forge)));
    expect(logged.mock.calls).toEqual(refusalLogged(expect.stringContaining(reason)));
  });

  it('says whom it is about, when it expires, when they logged in, and all else that the provider vouches for', async () => {
    const exp = now() + 60;
    const claims = await tokens.verify(forge.token({ exp, auth_time: 5, email: 'ada@roster.example' }));
    const payload = { iss: ISSUER, aud: AUDIENCE, sub: SUBJECT, iat: expect.any(Number), exp, auth_time: 5 };
    expect(claims).toEqual({
      subject: SUBJECT,
      exp,
      authTime: 5,
      payload: { ...payload, email: 'ada@roster.example' },
    });
  });

  it('has a subject of up to 255 code points', async () => {
    const subject = '\u{1F6A2}'.repeat(255);
    expect(await outcomeOf(forge.token({ sub: subject }))).toMatchObject({ subject });
    expect(await outcomeOf(forge.token({ sub: `${subject}x` }))).toBe(1101);
  });

  it('has its subject in the claim that OIDC_SUBJECT_CLAIM names', async () => {
    const others = tokensWith({ OIDC_SUBJECT_CLAIM: 'oid' });
    expect(await outcomeOf(forge.token({ oid: 'ada' }), others)).toMatchObject({ subject: 'ada' });
    expect(await outcomeOf(forge.token(), others)).toBe(1101);
    expect(logged.mock.calls).toEqual(refusalLogged('oid is missing, not a subject of 1 to 255 characters'));
  });

  it('is not refused, and has no line in the log, while nobody knows whether its key exists', async () => {
    isUp = false;
    jest.spyOn(Logger.prototype, 'warn').mockImplementationOnce(() => undefined);
    expect(await outcomeOf(forge.token(), tokensWith())).toBe(1904);
    expect(logged).not.toHaveBeenCalled();
  });
});

describe('a credential of another issuer', () => {
  it('is in the log where it is a token by another name, and not where it is one of ours, or none', () => {
    const others = [forge.token({ iss: 'roster' }), forge.token({ iss: undefined }), 'roster_key', 'x.y.z', ''];
    for (const other of others) expect(tokens.isIssuerOf(other)).toBe(false);
    expect(logged).not.toHaveBeenCalled();
    for (const iss of [`${ISSUER}/`, [ISSUER]]) expect(tokens.isIssuerOf(forge.token({ iss }))).toBe(false);
    const reasons = [`iss is ${ISSUER}/, not ${ISSUER}`, `iss is ${ISSUER}, not ${ISSUER}`];
    expect(logged.mock.calls).toEqual(reasons.flatMap(refusalLogged));
  });

  it('is everything where there is no identity provider, and the log does not say so', () => {
    const none = tokensWith({ OIDC_ISSUER: undefined, OIDC_AUDIENCE: undefined });
    for (const iss of ['', ISSUER, undefined]) expect(none.isIssuerOf(forge.token({ iss }))).toBe(false);
    expect(logged).not.toHaveBeenCalled();
  });

  it('may be a token whose payload is no object', () => {
    const payload = (text: string): string => forge.token().replace(/\.[^.]+\./, `.${btoa(text)}.`);
    for (const text of ['null', '1', '"x"', 'x']) expect(tokens.isIssuerOf(payload(text))).toBe(false);
  });
});
