import { sign } from 'jsonwebtoken';
import { AUDIENCE, forge, newKey, type ProviderKey, SUBJECT } from './provider';

/** The keys of a provider, and one that it does not have. */
const [rsa, ec, stranger] = [newKey('rsa'), newKey('ec', 'ec'), newKey('stranger')];
export const keys = { rsa, ec, stranger };

/** Makes the tokens of an issuer: as the provider would, with changes, and as nobody would. */
export class Forge {
  constructor(readonly issuer: string) {}

  token(claims?: object, header?: object, key: ProviderKey = rsa): string {
    return forge(this.issuer, key, claims, header);
  }

  /** A token with another header, and so with a signature that is not of it. */
  reheaded(header: object): string {
    return this.token().replace(/^[^.]+/, encoded({ typ: 'at+jwt', ...header }));
  }

  hmac(secret: string): string {
    const claims = { iss: this.issuer, aud: AUDIENCE, sub: SUBJECT, exp: now() + 600 };
    return sign(claims, secret, { header: { alg: 'HS256', typ: 'at+jwt', kid: 'rsa' } });
  }
}

const now = (): number => Math.floor(Date.now() / 1000);
const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const strangeJwk = stranger.publicKey.export({ format: 'jwk' });

type Row = [title: string, made: (by: Forge) => string];
const table = (...rows: Row[]): Row[] => rows;

/** Tokens that are accepted: `it.each(acceptedTokens)('is accepted with %s', …)`. */
export const acceptedTokens = table(
  ['RS256', (by) => by.token()],
  ['PS256', (by) => by.token({}, { alg: 'PS256' })],
  ['ES256', (by) => by.token({}, { alg: 'ES256' }, ec)],
  ['its type in full', (by) => by.token({}, { typ: 'application/at+jwt' })],
  ['its type in capitals', (by) => by.token({ nonce: 'x' }, { typ: 'AT+JWT' })],
  ['the type JWT', (by) => by.token({ typ: 'Bearer' }, { typ: 'JWT' })],
  ['no type', (by) => by.token({}, { typ: undefined })],
  ['the mark of an access token of Cognito', (by) => by.token({ token_use: 'access' }, { typ: undefined })],
  ['several audiences', (by) => by.token({ aud: ['others', AUDIENCE] })],
  ['an expiry that has just passed, by our clock', (by) => by.token({ exp: now() - 5 })],
);

/** Tokens that are refused: `it.each(refusedTokens)('is refused with %s', …)`. */
export const refusedTokens = table(
  ['algorithm none', (by) => `${by.reheaded({ alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
  ['algorithm none and a signature', (by) => by.reheaded({ alg: 'none', kid: 'rsa' })],
  ['HS256 by the public key', (by) => by.hmac(publicPem)],
  ['the algorithm of another key', (by) => by.reheaded({ alg: 'ES256', kid: 'rsa' })],
  ['another payload', (by) => by.token().replace(/\.[^.]+\./, `.${encoded({ iss: by.issuer, sub: 'x' })}.`)],
  ['its own key', (by) => by.token({}, { jwk: strangeJwk, kid: undefined }, stranger)],
  ['an address of its own key', (by) => by.token({}, { jku: `${by.issuer}/x`, x5u: 'http://127.0.0.1:9' }, stranger)],
  ['a path as the id of its key', (by) => by.token({}, { kid: '../../../dev/null' })],
  ['a critical extension', (by) => by.token({}, { crit: ['exp'] })],
  ['an audience that begins with ours', (by) => by.token({ aud: `${AUDIENCE}/x` })],
  ['a subject that is no text', (by) => by.token({ sub: { $ne: null } })],
  ['an empty subject', (by) => by.token({ sub: '' })],
  ['a subject that is too long', (by) => by.token({ sub: 'x'.repeat(256) })],
  ['an expiry that passed a while ago', (by) => by.token({ exp: now() - 20 })],
  ...['nonce', 'at_hash', 'c_hash', 's_hash', 'events'].map((claim): Row => {
    return [`the claim ${claim}, which only other tokens have`, (by) => by.token({ [claim]: 'x' }, { typ: undefined })];
  }),
  ...['ID', 'Refresh', 'Offline', 'Logout'].map((typ): Row => {
    return [`the mark ${typ} of another token of Keycloak`, (by) => by.token({ typ }, { typ: 'JWT' })];
  }),
  ['a key that its sender must prove to have', (by) => by.token({ cnf: { jkt: 'x' } })],
  ['the mark of an ID token of Cognito', (by) => by.token({ token_use: 'id' }, { typ: undefined })],
  ['the mark of a refresh token, in capitals', (by) => by.token({ token_use: 'REFRESH_TOKEN' })],
  ['the type of a logout token', (by) => by.token({}, { typ: 'logout+jwt' })],
  ['a type that contains the right one', (by) => by.token({}, { typ: 'x-application/at+jwt' })],
);

/** Tokens by a key of the provider whose issuer is not the provider: `it.each(othersTokens)('… with %s', …)`. */
export const othersTokens = table(
  ['the issuer of our own tokens', (by) => by.token({ iss: 'roster', aud: 'roster' })],
  ['a slash after its issuer', (by) => by.token({ iss: `${by.issuer}/` })],
  ['no issuer', (by) => by.token({ iss: undefined })],
);

const missingKey = 'the provider has no RS256 key with the kid stranger';

/** Tokens that are refused, with the reason that the log has. */
export const reasons = table(
  [`aud is account, not ${AUDIENCE}`, (by) => by.token({ aud: 'account' })],
  [`aud is account and others, not ${AUDIENCE}`, (by) => by.token({ aud: ['account', 'others'] })],
  ['it has no aud', (by) => by.token({ aud: undefined })],
  ['it expired 90', (by) => by.token({ exp: now() - 900 })],
  ['it is valid in ', (by) => by.token({ nbf: now() + 900 })],
  ['it has no exp', (by) => by.token({ exp: undefined })],
  ['sub is missing, not a subject of 1 to 255 characters', (by) => by.token({ sub: undefined })],
  ['sub is 1, not a subject of 1 to 255 characters', (by) => by.token({ sub: 1 })],
  ['alg is RS512, not RS256, PS256 or ES256', (by) => by.token({}, { alg: 'RS512' })],
  [missingKey, (by) => by.token({}, {}, stranger)],
  ['signature verification failed', (by) => by.token({}, {}, { ...stranger, kid: 'rsa' })],
  ['iss is https://others.example?, not ', (by) => by.token({ iss: 'https://others.example\n' })],
  [`iss is ${'x'.repeat(100)}, not `, (by) => by.token({ iss: 'x'.repeat(5000) })],
  [
    'it is not an access token by its type or claims: perhaps an ID token',
    (by) => by.token({ nonce: 'x' }, { typ: 'JWT' }),
  ],
);
