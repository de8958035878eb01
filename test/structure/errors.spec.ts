import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors as apiErrors } from '../../src/registry/errors';
import { apiError } from '../../src/platform/base/errors/api-error';
import { fieldError, type FieldErrorName, fieldErrors } from '../../src/platform/base/errors/field-error';

/** What contract §5 lists, such as `404 1302` for `- **404** (1234, 1301–1307): …`. */
function documented(): string[] {
  const contract = readFileSync(join(__dirname, '../../docs/contract.md'), 'utf8');
  const items = contract.slice(contract.indexOf('## 5. ')).matchAll(/^- \*\*(\d{3})\*\* \((.+?)\):/gm);
  return [...items].flatMap(([, status, codes = '']) =>
    codes.split(', ').flatMap((range) => {
      const [first = 0, last = first] = range.split('–').map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => `${status} ${first + index}`);
    }),
  );
}

const CHECKS = 'docs/contract.md §1.1';

describe('the table of errors', () => {
  it('has the statuses and codes of the contract', () => {
    const wanted = documented();
    expect(wanted.length).toBeGreaterThanOrEqual(41);
    const found = Object.values(apiErrors).map(({ status, code }) => `${status} ${code}`);
    expect(found).toEqual(expect.arrayContaining(wanted));
    const missing = found.filter((one) => !wanted.includes(one)).map((one) => `${one}: add it to docs/contract.md §5.`);
    expect(missing).toEqual([]);
  });

  it('has the codes of 404 that §1.1 gives to check 9', () => {
    const contract = readFileSync(join(__dirname, '../../docs/contract.md'), 'utf8');
    const [, listed = ''] = /^9\. .* \(404 (.+?)\)\.$/m.exec(contract) ?? [];
    const ranges = listed.split(/, | or /).map((range) => range.split('–').map(Number));
    const isInRange = (code: number): boolean => ranges.some(([from, to = from]) => code >= from! && code <= to!);
    const { pathNotFound, ...others } = apiErrors;
    const codes = Object.values(others).flatMap(({ status, code }) => (status === 404 ? [code] : []));
    expect(isInRange(pathNotFound.code)).toBe(false);
    const missing = codes.filter((code) => !isInRange(code)).map((code) => `${code}: add it to check 9 of ${CHECKS}.`);
    expect(missing).toEqual([]);
    expect(codes).toEqual(expect.arrayContaining(ranges.flat()));
  });

  it('has one sentence per error', () => {
    const messages = Object.values(apiErrors).map(({ message }) => message);
    for (const message of messages) expect(message).toMatch(/^[A-Z].{10,}[.>]$/);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

describe('the table of field errors', () => {
  it('has the codes of the contract, in the order in which a field is validated', () => {
    const codes = Object.values(fieldErrors).map(({ code }) => code);
    expect(codes).toEqual([
      5001, 5622, 5002, 5432, 5005, 5006, 5010, 5007, 5008, 5009, 5011, 5012, 5013, 5014, 5004, 5003,
    ]);
  });

  it('continues the field’s name, with its own detail if one is given', () => {
    const own = { title: 'field', detail: 'is wrong' };
    for (const name of Object.keys(fieldErrors) as FieldErrorName[]) {
      expect(fieldErrors[name].detail).toMatch(/^(is|has|must|contains|does) /);
      expect(fieldError(name, own.title, own.detail)).toEqual({ ...fieldErrors[name], ...own });
    }
  });
});

describe('an ApiError', () => {
  it('has a trace if it is an error of the service, and none if it is an error of the client', () => {
    expect(apiError('unexpected').stack).toContain(__filename);
    expect(apiError('pathNotFound').stack).toBe('Error: No such path.');
    expect(new Error('another').stack).toContain(__filename);
  });
});
