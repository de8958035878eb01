import { wantsExactCount } from './prefer-header';

describe('wantsExactCount', () => {
  it('finds the first count, in any case and in several headers', () => {
    const exact = ['count=exact', 'Count = "exact"', 'respond-async, count=exact; a=b', 'COUNT=EXACT'];
    for (const prefer of [...exact, 'count=exact, count=none', ['a', 'count=exact']])
      expect([prefer, wantsExactCount(prefer)]).toEqual([prefer, true]);
  });

  it('finds none elsewhere', () => {
    const none = [undefined, '', 'count', 'count=none', 'exact', 'count=none, count=exact', 'x-count=exact'];
    for (const prefer of [...none, 'a="count=exact"', 'a="b, count=exact"'])
      expect([prefer, wantsExactCount(prefer)]).toEqual([prefer, false]);
  });
});
