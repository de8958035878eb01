import { failureJson } from '../failure-json';
import type { Fault } from '../faults';
import { reportedFaults } from './reported-faults';

const fault = (title: string, detail = 'It is unknown.'): Fault => ({ code: 1017, title, detail });
const many = (count: number, title: string): Fault[] => Array.from({ length: count }, () => fault(title));
const titles = (found: Fault[]): string[] => reportedFaults(found).map(({ title }) => title);

describe('reportedFaults', () => {
  it('names all of 50, and says nothing of others', () => {
    const found = many(50, 'name');
    expect(reportedFaults(found)).toEqual(found);
  });

  it('names 50 of 53, and how many it leaves out', () => {
    const reported = reportedFaults(many(53, 'name'));
    expect(reported).toHaveLength(50);
    expect(reported.slice(0, 49)).toEqual(many(49, 'name'));
    expect(reported[49]).toEqual(fault('name', 'It is unknown.; more faults left out: 3'));
  });

  it('leaves the faults that were found as they are', () => {
    const found = many(51, 'x'.repeat(101));
    reportedFaults(found);
    expect(found).toEqual(many(51, 'x'.repeat(101)));
  });

  it('names none where there is none', () => {
    expect(reportedFaults([])).toEqual([]);
  });

  it.each([
    ['at 100 characters', 'x'.repeat(101), 'x'.repeat(100)],
    ['not within 100 characters', 'x'.repeat(100), 'x'.repeat(100)],
    ['between emoji, each one character', '👍'.repeat(101), '👍'.repeat(100)],
    ['between characters, short ones first', `a${'👍'.repeat(100)}`, `a${'👍'.repeat(99)}`],
  ])('cuts a title %s', (_, title, cut) => {
    expect(titles([fault(title)])).toEqual([cut]);
  });

  it.each([
    ['a\ud800b', 'a\ufffdb'],
    ['\udc00\ud800', '\ufffd\ufffd'],
    ['\ud83d\udc4d', '👍'],
  ])('replaces halves of surrogate pairs: %j', (title, shown) => {
    expect(titles([fault(title)])).toEqual([shown]);
  });

  it('names as many faults as fit into 15,000 bytes, a comma after each', () => {
    const bytes = (found: Fault): number => Buffer.byteLength(failureJson(found)) + 1;
    const filler = 15_000 - 30 * bytes(fault('👍'.repeat(100)));
    const last = fault('last', 'x'.repeat(filler - bytes(fault('last', ''))));
    const found = [...many(30, '👍'.repeat(100)), last];
    expect(reportedFaults(found)).toEqual(found);
    const longer = { ...last, detail: `${last.detail}x` };
    expect(reportedFaults([...many(30, '👍'.repeat(100)), longer])).toHaveLength(30);
  });
});
