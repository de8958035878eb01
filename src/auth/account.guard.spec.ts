import { ExecutionContext } from '@nestjs/common';
import { Jwt, sign } from 'jsonwebtoken';
import { Types } from 'mongoose';
import type { Settings } from '../config/settings';
import type { RosterRequest } from '../http/request';
import { AccessGuard } from './access.guard';
import type { AccessPlans } from './access-plans';
import { AccessTokens } from './access-tokens';
import type { Account } from './account';
import { AccountGuard } from './account.guard';
import type { Accounts } from './accounts';
import { JwtStrategy } from './jwt.strategy';
import { RuleName, rules } from './rules';
import { SigningKeys } from './signing-keys';
import type { TargetFinder } from './target';
import { TargetGuard } from './target.guard';

const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];
const settings = { registration: 'admin', accessTokenTtl: 60 } as Settings;
const open = { ...settings, registration: 'open' } as Settings;
const account: Account = { _id: new Types.ObjectId(), isAdmin: false, sessionId: new Types.ObjectId() };
const keys = new SigningKeys(secrets);
const handler = (): void => undefined;

let accounts: { find: jest.Mock };
let target: TargetFinder & { find: jest.Mock };
let strategy: JwtStrategy;

/** A request on its way through the guards of an operation with this rule, or of one outside the contract. */
class Passage {
  readonly request = { headers: {}, params: { id: 'a'.repeat(24) } } as unknown as RosterRequest;
  private readonly plan;

  constructor(
    rule: RuleName | undefined,
    authorization?: string,
    private readonly current = settings,
  ) {
    this.plan = rule && { rule: rules[rule], targets: [{ param: 'id', target }] };
    if (authorization !== undefined) this.request.headers.authorization = authorization;
  }

  private get context(): ExecutionContext {
    const http = { getRequest: () => this.request, getResponse: () => ({}) };
    return { getHandler: () => handler, switchToHttp: () => http } as unknown as ExecutionContext;
  }

  account(): Promise<boolean> {
    const plans = { of: (asked: unknown) => (asked === handler ? this.plan : undefined) };
    return new AccountGuard(plans as unknown as AccessPlans, this.current, strategy).canActivate(this.context);
  }

  target(): Promise<boolean> {
    return new TargetGuard().canActivate(this.context);
  }

  access(): boolean {
    return new AccessGuard().canActivate(this.context);
  }
}

const token = (): string => new AccessTokens(keys, settings).issue(account._id, account.sessionId).accessToken;
const bearer = (): string => `Bearer ${token()}`;

beforeEach(() => {
  accounts = { find: jest.fn().mockResolvedValue(account) };
  const find = jest.fn().mockResolvedValue({ record: 'a user', ownerId: account._id });
  target = { segment: 'users/:id', failure: 'userNotFound', find };
  strategy = new JwtStrategy(keys, accounts as unknown as Accounts);
});

describe('the check of the account', () => {
  it('finds who asks by user and session of the token, and notes it for all that follows', async () => {
    const passage = new Passage('self', bearer());
    await expect(passage.account()).resolves.toBe(true);
    expect(accounts.find).toHaveBeenCalledWith(String(account._id), String(account.sessionId));
    expect([passage.request.account, passage.request.judgement?.account]).toEqual([account, account]);
  });

  it('starts reading what the path names before the account has come', async () => {
    accounts.find.mockImplementation(() => {
      expect(target.find).toHaveBeenCalledTimes(1);
      return Promise.resolve(account);
    });
    const passage = new Passage('self', bearer());
    await passage.account();
    await passage.target();
    expect([accounts.find.mock.calls.length, target.find.mock.calls.length]).toEqual([1, 1]);
  });

  it.each([undefined, '', 'Basic eDp5', 'Bearerx y', ' Bearer y', 'x Bearer y'])(
    'asks for credentials where Authorization is %j',
    async (authorization) => {
      const passage = new Passage('account', authorization);
      await expect(passage.account()).rejects.toMatchObject({ status: 401, code: 1100 });
      expect(target.find).not.toHaveBeenCalled();
    },
  );

  it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme as %s', async (scheme) => {
    await expect(new Passage('account', `${scheme} ${token()}`).account()).resolves.toBe(true);
  });

  it('says 1101 of a Bearer without a token', async () => {
    await expect(new Passage('account', 'Bearer').account()).rejects.toMatchObject({ status: 401, code: 1101 });
  });

  it('says 1102 of an account or session that is gone', async () => {
    accounts.find.mockResolvedValue(undefined);
    await expect(new Passage('account', bearer()).account()).rejects.toMatchObject({ status: 401, code: 1102 });
  });

  it('hands on what went wrong with the database', async () => {
    accounts.find.mockRejectedValue(new Error('no database'));
    await expect(new Passage('account', bearer()).account()).rejects.toThrow('no database');
  });

  it('lets an operation outside the contract through, and judges nothing of it', async () => {
    const passage = new Passage(undefined, 'Bearer x');
    await expect(passage.account()).resolves.toBe(true);
    await expect(passage.target()).resolves.toBe(true);
    expect(passage.access()).toBe(true);
    expect(passage.request.judgement).toBeUndefined();
  });

  it('does not look at the token of an operation for anyone', async () => {
    const passage = new Passage('anyone', 'Bearer x');
    await expect(passage.account()).resolves.toBe(true);
    expect(passage.request.account).toBeUndefined();
  });

  it('lets registration through without a token where it is open, but judges one that is sent', async () => {
    await expect(new Passage('registrar', undefined, open).account()).resolves.toBe(true);
    await expect(new Passage('registrar', 'Bearer x', open).account()).rejects.toMatchObject({ code: 1101 });
    await expect(new Passage('registrar', 'x', open).account()).rejects.toMatchObject({ code: 1100 });
    const known = new Passage('registrar', bearer(), open);
    await expect(known.account()).resolves.toBe(true);
    expect(known.request.account).toEqual(account);
    await expect(new Passage('registrar').account()).rejects.toMatchObject({ code: 1100 });
  });
});

describe('an access token', () => {
  const claims = { sub: String(account._id), sid: String(account.sessionId), iss: 'roster', aud: 'roster' };
  const made = (more: object, header: object = {}, key = keys.current): string =>
    sign(JSON.stringify({ ...claims, exp: Math.floor(Date.now() / 1000) + 60, ...more }), key, {
      header: { alg: 'HS256', typ: 'at+jwt', kid: keys.currentId, ...header },
    });
  const judge = (one: string): Promise<boolean> => new Passage('account', `Bearer ${one}`).account();

  it('says who and for how long, of and for this service', () => {
    const { tokenType, expiresIn } = new AccessTokens(keys, settings).issue(account._id, account.sessionId);
    expect([tokenType, expiresIn]).toEqual(['Bearer', 60]);
    const [header, body] = token()
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: keys.currentId });
    expect(body).toEqual({ ...claims, iat: expect.any(Number), exp: body.iat + 60 });
  });

  it('is good when it is made by hand, so that what follows shows something', async () => {
    await expect(judge(made({}))).resolves.toBe(true);
  });

  it.each([
    ['no key', () => made({}, { kid: undefined })],
    ['an unknown key', () => made({}, { kid: 'x' })],
    ['another key than it names', () => made({}, {}, new SigningKeys(['another secret, of somebody else']).current)],
    ['another algorithm', () => made({}, { alg: 'HS512' })],
    ['another type', () => made({}, { typ: 'JWT' })],
    ['another issuer', () => made({ iss: 'x' })],
    ['another audience', () => made({ aud: 'x' })],
    ['an end that is past', () => made({ exp: 1 })],
    ['no end', () => made({ exp: undefined })],
    ['no user', () => made({ sub: undefined })],
    ['no session', () => made({ sid: undefined })],
    ['no sense', () => 'x.y.z'],
  ])('with %s is not usable, and nothing is read for it', async (_, forged) => {
    await expect(judge(forged())).rejects.toMatchObject({ status: 401, code: 1101 });
    expect([accounts.find.mock.calls, target.find.mock.calls]).toEqual([[], []]);
  });

  it('is judged where the path names nothing, too', async () => {
    const verified = { header: { typ: 'at+jwt' }, payload: { ...claims, exp: 1 } } as unknown as Jwt;
    await expect(strategy.validate({} as RosterRequest, verified)).resolves.toBe(account);
  });

  it('is judged by nobody once the application has shut down', async () => {
    strategy.onApplicationShutdown();
    await expect(judge(made({}))).rejects.toThrow('Unknown authentication strategy');
  });

  it('of a key that signed before is still good', async () => {
    const [, second = ''] = secrets;
    const before = new SigningKeys([second]);
    await expect(judge(made({}, { kid: before.currentId }, before.current))).resolves.toBe(true);
  });
});

describe('the check of what the path names, and of the rights', () => {
  it('lets through whom the rule allows', async () => {
    const passage = new Passage('self', bearer());
    await passage.account();
    await expect(passage.target()).resolves.toBe(true);
    expect(passage.access()).toBe(true);
  });

  it('says 404 of what is not there, and has waited with it for the account', async () => {
    target.find.mockResolvedValue(undefined);
    const passage = new Passage('self', bearer());
    await expect(passage.account()).resolves.toBe(true);
    await expect(passage.target()).rejects.toMatchObject({ status: 404, code: 1302 });
  });

  it('says 403 to whom the rule does not allow it', async () => {
    target.find.mockResolvedValue({ record: 'a user', ownerId: new Types.ObjectId() });
    const passage = new Passage('self', bearer());
    await passage.account();
    await passage.target();
    expect(() => passage.access()).toThrow(expect.objectContaining({ status: 403, code: 1200 }) as Error);
  });
});
