import { isRecordId } from './record-id';

test('an id is 24 lower-case hexadecimal digits', () => {
  const id = '0123456789abcdef01234567';
  const others = ['', id.slice(1), `${id}0`, `x${id}`, `${id}\n`, id.toUpperCase(), `${id.slice(1)}g`];
  expect([id, ...others].filter(isRecordId)).toEqual([id]);
});
