import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors as apiErrors } from '../../src/registry/errors';
import { apiError } from '../../src/platform/base/errors/api-error';
import { fieldErrors } from '../../src/platform/base/errors/field-error';

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

test('The table of errors has the statuses and codes of the contract', () => {
  const wanted = documented();
  expect(wanted.length).toBeGreaterThanOrEqual(41);
  const found = Object.values(apiErrors).map(({ status, code }) => `${status} ${code}`);
  expect(found).toEqual(expect.arrayContaining(wanted));
  const missing = found.filter((one) => !wanted.includes(one)).map((one) => `${one}: add it to docs/contract.md §5.`);
  expect(missing).toEqual([]);
  expect(new Set(Object.values(apiErrors).map(({ message }) => message)).size).toBe(found.length);
});

test('The table of field errors has the codes of the contract, in the order in which a field is validated', () => {
  const codes = Object.values(fieldErrors).map(({ code }) => code);
  expect(codes).toEqual([
    5001, 5622, 5002, 5432, 5005, 5006, 5010, 5007, 5008, 5009, 5011, 5012, 5013, 5014, 5004, 5003,
  ]);
});

test('An ApiError has a trace if it is an error of the service, and none if it is an error of the client', () => {
  expect(apiError('unexpected').stack).toContain(__filename);
  expect(apiError('pathNotFound').stack).toBe('Error: No such path.');
});
