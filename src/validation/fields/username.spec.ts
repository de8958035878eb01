import { judge } from './judge';
import { Username } from './text-fields';

class Person {
  @Username()
  username!: string;
}

const faultOf = (username: unknown): number | undefined => judge(Person, { username }).faults[0]?.code;

describe('a username', () => {
  it.each(['Ada', 'a_b-C', '9lives', 'a--', 'x'.repeat(30)])('may be %j', (username) => {
    expect(faultOf(username)).toBeUndefined();
  });

  it.each([
    [null, 5001],
    ['', 5622],
    ['\u200d\u200d\u200d', 5622],
    ['ab\u200bc', 5432],
    ['ab', 5005],
    ['x'.repeat(31), 5006],
    ['_ab', 5007],
    ['-ab', 5007],
    ['a.b', 5007],
    ['a b', 5007],
    ['abc!', 5007],
    ['äbc', 5007],
  ])('is not %j: %i', (username, fault) => expect(faultOf(username)).toBe(fault));

  it('that is refused for its form is told the form', () => {
    expect(judge(Person, { username: 'a.b' }).faults[0]?.detail).toMatch(/A–Z, a–z, 0–9, _ and -/);
  });
});
