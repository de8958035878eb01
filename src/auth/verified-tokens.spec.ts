import { MAX_REMEMBERED, VerifiedTokens } from './verified-tokens';

describe('VerifiedTokens', () => {
  const claims = { sub: 'a user', sid: 'a session', exp: Date.now() / 1000 + 60 };

  it('remembers a bounded number, the last ones', () => {
    const tokens = new VerifiedTokens();
    for (let number = 0; number <= MAX_REMEMBERED; number += 1) tokens.add(`Bearer ${number}`, claims);
    expect(tokens.find('Bearer 0')).toBeUndefined();
    for (const number of [1, MAX_REMEMBERED]) expect(tokens.find(`Bearer ${number}`)).toBe(claims);
  });

  it('remembers no token of the identity provider, whose keys can be withdrawn', () => {
    const tokens = new VerifiedTokens();
    tokens.add('Bearer x', { subject: 'x', exp: claims.exp });
    expect(tokens.find('Bearer x')).toBeUndefined();
  });

  it('remembers no header that is longer than ours', () => {
    const tokens = new VerifiedTokens();
    const authorization = `Bearer ${' '.repeat(1000)}token`;
    tokens.add(authorization, claims);
    expect(tokens.find(authorization)).toBeUndefined();
  });
});
