import { wantsExactCount } from './prefer-header';

describe('wantsExactCount', () => {
  it.each([
    'count=exact',
    'Count = "exact"',
    'respond-async, count=exact; a=b',
    'COUNT=EXACT',
    'count=exact, count=none',
  ])('%s: yes', (prefer) => expect(wantsExactCount(prefer)).toBe(true));

  it.each([
    '',
    'count',
    'count=none',
    'exact',
    'count=none, count=exact',
    'x-count=exact',
    'a="count=exact"',
    'a="b, count=exact"',
  ])('%j: no', (prefer) => expect(wantsExactCount(prefer)).toBe(false));

  it('takes several headers, or none', () => {
    expect(wantsExactCount(['a', 'count=exact'])).toBe(true);
    expect(wantsExactCount(undefined)).toBe(false);
  });
});
