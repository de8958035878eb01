import type { AuthorizedRequest } from '../access/request-access';
import { RawBody } from './raw-body';

const json = { 'content-type': 'application/json' };
const isEmpty = (text: string, headers: object = json): boolean =>
  new RawBody({ raw: { headers } } as AuthorizedRequest, Buffer.from(text)).isEmpty;

describe('a body is empty', () => {
  it.each([
    ['', {}],
    ['', { 'content-type': 'text/plain' }],
    ...['{}', '\ufeff{}', ' {\r\n\t} \n', '\ufeff {}', '{ }'].map((text): [string, object] => [text, json]),
  ])('that has no byte, or no member: %j', (text, headers) => expect(isEmpty(text, headers)).toBe(true));

  it.each([
    ...['[]', '{"a":1}', 'x{}', '{}x', '{x}', ' x{}', '{} x', '{}{}', ' '].map((text): [string, object] => [
      text,
      json,
    ]),
    ['{}', {}],
    ['{}', { 'content-type': 'text/plain' }],
    ['{}', { ...json, 'content-encoding': 'identity' }],
  ])('and no other: %j', (text, headers) => expect(isEmpty(text, headers)).toBe(false));

  it('but not a form, which is received later', () => {
    expect(new RawBody({ raw: { headers: {} } } as AuthorizedRequest).isEmpty).toBe(false);
  });
});
