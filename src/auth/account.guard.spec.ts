import { decode, type JwtPayload, sign } from 'jsonwebtoken';
import { generateKeyPairSync } from 'node:crypto';
import {
  account,
  accounts,
  authenticate,
  bearer,
  Call,
  claims,
  keys,
  newGuard,
  open,
  resources,
  secrets,
  settings,
  tokens,
} from '../../test/support/guarded-call';
import { apiError } from '../errors/api-error';
import type { AccessRuleName } from './access-rules';
import { AccountGuard } from './account.guard';
import { hashOfApiKey, newApiKey } from './api-key';
import { BoundedMap } from './bounded-map';
import { JwtStrategy } from './jwt.strategy';
import { SigningKeys } from './signing-keys';

beforeEach(() => {
  accounts.load.mockReset().mockResolvedValue(account);
  resources.load.mockReset().mockResolvedValue([{ record: 'a user', ownership: { ownerId: account._id } }]);
});

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

describe('the account guard', () => {
  it.each([
    [1100, [undefined, '', 'Basic eDp5', 'Bearerx y', ' Bearer y', 'x Bearer y']],
    [1101, ['Bearer', 'Bearer ', '<valid> x']],
  ])('says %i when Authorization is one of %j, and loads nothing', async (code, headers) => {
    for (const header of headers)
      await expect(authenticate('account', header?.replace('<valid>', bearer()))).rejects.toMatchObject({
        status: 401,
        code,
      });
    expect(resources.load).not.toHaveBeenCalled();
  });

  it('takes the scheme in any case, and several spaces after it', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      await expect(authenticate('account', bearer().replace('Bearer', scheme))).resolves.toBe(true);
  });

  it('says 1102 when the account or its session is gone, and reports other errors as they are', async () => {
    accounts.load.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('no database'));
    await expect(authenticate('account', bearer())).rejects.toMatchObject({ status: 401, code: 1102 });
    await expect(authenticate('account', bearer())).rejects.toThrow('no database');
    expect(() => AccountGuard.prototype.handleRequest(new Error('no key'), false)).toThrow('no key');
  });

  it('does not look at the token of an operation for anyone', async () => {
    const call = new Call('anyone', 'Bearer x');
    await expect(call.authenticate()).resolves.toBe(true);
    expect(call.request.access?.account).toBeUndefined();
    expect(accounts.load).not.toHaveBeenCalled();
  });

  it('needs no token where it is optional, but one that is sent must be valid', async () => {
    await expect(authenticate('createUser', undefined, open)).resolves.toBe(true);
    await expect(authenticate('createUser', 'Bearer x', open)).rejects.toMatchObject({ code: 1101 });
    await expect(authenticate('createUser', '', open)).rejects.toMatchObject({ code: 1100 });
    await expect(authenticate('createUser')).rejects.toMatchObject({ code: 1100 });
    const call = new Call('createUser', bearer(), open);
    await expect(call.authenticate()).resolves.toBe(true);
    expect(call.request.access?.account).toBe(account);
  });

  it('refuses a handler without an access rule', async () => {
    await expect(authenticate('none' as AccessRuleName)).rejects.toThrow('Marked.undefined has no access rule.');
  });

  it('lets a route outside the contract pass, and nothing is loaded for it', async () => {
    const call = new Call(undefined, 'Bearer x');
    await expect(call.authenticate()).resolves.toBe(true);
    await expect(call.authorize()).resolves.toBe(true);
    expect(call.request.access).toBeUndefined();
    expect(resources.load).not.toHaveBeenCalled();
  });
});

describe('an API key', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is not remembered while nobody has it: anybody can make up API keys', async () => {
    const [guard, remember] = [newGuard(), jest.spyOn(BoundedMap.prototype, 'set')];
    const key = newApiKey();
    accounts.load.mockRejectedValueOnce(apiError('tokenUnusable'));
    await expect(authenticate('account', `Bearer ${key}`, settings, guard)).rejects.toMatchObject({ code: 1101 });
    expect(remember).not.toHaveBeenCalled();
    await authenticate('account', `Bearer ${key}`, settings, guard);
    expect(remember).toHaveBeenCalledWith(key, { keyHash: hashOfApiKey(key) });
  });

  it('that is mistyped is rejected, and nothing is read for it', async () => {
    const key = newApiKey();
    const mistyped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    await expect(authenticate('account', `Bearer ${mistyped}`)).rejects.toMatchObject({ code: 1101 });
    expect(accounts.load).not.toHaveBeenCalled();
  });
});

describe('an access token', () => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  const forge = (change: object, header: object = {}, key = keys.current): string =>
    sign(JSON.stringify({ ...claims, iss: 'roster', aud: 'roster', exp, ...change }), key, {
      header: { alg: 'HS256', typ: 'at+jwt', kid: keys.currentId, ...header },
    });
  /** jsonwebtoken does not sign these. */
  const withHeader = (token: string, header: object): string =>
    token.replace(/^[^.]+/, base64url(JSON.stringify(header)));
  const send = (token: string): Promise<boolean> => authenticate('account', `Bearer ${token}`);

  it('names the user, the session, the key and this service, and expires', () => {
    const { accessToken, ...shown } = tokens.issue(account._id, account.sessionId);
    expect(shown).toEqual({ tokenType: 'Bearer', expiresIn: 60 });
    const { header, payload } = decode(accessToken, { complete: true })!;
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: keys.currentId });
    const { iat = 0 } = payload as JwtPayload;
    expect(payload).toEqual({ ...claims, iss: 'roster', aud: 'roster', iat, exp: iat + 60 });
  });

  it('is accepted when it is made by hand, also with an earlier key, so the rejections below prove something', async () => {
    await expect(send(forge({}))).resolves.toBe(true);
    const earlier = new SigningKeys(secrets.slice(1));
    await expect(send(forge({}, { kid: earlier.currentId }, earlier.current))).resolves.toBe(true);
  });

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const types = [{ alg: 'HS512' }, { typ: 'JWT' }, { typ: undefined }];
  const headers = [{ kid: undefined }, { kid: 'x' }, { crit: ['exp'] }, ...types];
  const id = 'f'.repeat(24);
  const noIds = [undefined, { id }, 1, [id], 'x', '12 character', id.toUpperCase()];
  const changes = [
    ...[{ iss: 'x' }, { aud: 'x' }, { exp: 1 }, { exp: undefined }],
    ...noIds.flatMap((value) => [{ sub: value }, { sid: value }]),
  ];
  it.each<[unknown, () => string]>([
    ...headers.map((header): [unknown, () => string] => [header, () => forge({}, header)]),
    ...changes.map((change): [unknown, () => string] => [change, () => forge(change)]),
    ['the signature of another key', () => forge({}, {}, new SigningKeys(['a secret of somebody else']).current)],
    ['the signature of another key of ours', () => forge({}, {}, keys.all[1])],
    ['algorithm RS256', () => forge({}, { alg: 'RS256' }, privateKey)],
    ['algorithm none', () => withHeader(forge({}), { alg: 'none', typ: 'at+jwt', kid: keys.currentId })],
    ['no signature', () => `${forge({}).split('.').slice(0, 2).join('.')}.`],
    ['another form', () => 'x.y.z'],
    ['a payload that is not JSON', () => `${base64url('{"typ":"JWT"}')}.${base64url('not JSON')}.x`],
  ])('with %p is rejected, and nothing is read for it', async (_, forged) => {
    await expect(send(forged())).rejects.toMatchObject({ status: 401, code: 1101 });
    expect([accounts.load.mock.calls, resources.load.mock.calls]).toEqual([[], []]);
  });
});

describe('an access token that was verified before', () => {
  let guard: AccountGuard;
  let token: string;
  const send = (header = `Bearer ${token}`): Promise<boolean> => authenticate('account', header, settings, guard);

  beforeEach(async () => {
    guard = newGuard();
    token = tokens.issue(account._id, account.sessionId).accessToken;
    await send();
    accounts.load.mockClear();
  });
  afterEach(() => jest.restoreAllMocks());

  it('is not verified again, and its account is still read for every request', async () => {
    const verifications = jest.spyOn(JwtStrategy.prototype, 'validate');
    await expect(send()).resolves.toBe(true);
    expect(verifications).not.toHaveBeenCalled();
    expect(accounts.load.mock.calls).toEqual([[{ ...claims, exp: expect.any(Number) }]]);
    accounts.load.mockResolvedValueOnce(undefined);
    await expect(send()).rejects.toMatchObject({ code: 1102 });
  });

  it('expires', async () => {
    const { exp = 0 } = decode(token) as JwtPayload;
    const now = jest.spyOn(Date, 'now').mockReturnValue(exp * 1000 - 1);
    await expect(send()).resolves.toBe(true);
    for (const later of [exp * 1000, exp * 1000 + 1]) {
      now.mockReturnValue(later);
      await expect(send()).rejects.toMatchObject({ code: 1101 });
    }
  });

  it('says nothing about a token with another last character, or the same one with something after it', async () => {
    const others = [...'ABCDwxyz0123-_'].map((character) => token.slice(0, -1) + character);
    for (const other of [...others, `${token}=`, `${token} x`, token.slice(0, -1)])
      if (other !== token) await expect(send(`Bearer ${other}`)).rejects.toMatchObject({ code: 1101 });
  });

  it('is refused again if it was refused before', async () => {
    const other = sign({ ...claims }, keys.current, { header: { alg: 'HS256', typ: 'JWT', kid: keys.currentId } });
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(send(`Bearer ${other}`)).rejects.toMatchObject({ code: 1101 });
  });

  it('is verified again by a process with other keys', async () => {
    new JwtStrategy(new SigningKeys(['the only secret after a rotation, as long as it must be']));
    guard = newGuard();
    const sent = send();
    await expect(sent).rejects.toMatchObject({ code: 1101 });
    new JwtStrategy(keys);
  });
});
