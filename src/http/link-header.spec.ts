import { linkHeader } from './link-header';

const lastId = '65f5f0a2c3d4e5f60718293a';
const page = { skip: 0, limit: 20 };
const more = { hasMore: true, lastId };
const last = { hasMore: false, lastId };

describe('the Link header', () => {
  it('is not sent when all records are on one page', () => {
    expect(linkHeader('/users', page, last)).toBeUndefined();
  });

  it('continues after the last record, on the path of the request', () => {
    expect(linkHeader('/base/users?', page, more)).toBe(`</base/users?after=${lastId}>; rel="next"`);
  });

  it('keeps the other parameters, encoded', () => {
    const expected = `</users?q=a+%3E%22%C3%A9&limit=2&after=${lastId}>; rel="next"`;
    expect(linkHeader('/users?q=a%20%3E%22%C3%A9&limit=2', { skip: 0, limit: 2 }, more)).toBe(expected);
  });

  it('leads from a page reached by skip to both neighbors, and from one reached by after only on', () => {
    const both = `</users?limit=10&after=${lastId}>; rel="next", </users?limit=10&skip=10>; rel="prev"`;
    expect(linkHeader('/users?skip=20&limit=10', { skip: 20, limit: 10 }, more)).toBe(both);
    const target = `/users?after=${'0'.repeat(24)}&limit=2`;
    const next = `</users?limit=2&after=${lastId}>; rel="next"`;
    expect(linkHeader(target, { skip: 0, limit: 2 }, more)).toBe(next);
    expect(linkHeader(target, { skip: 0, limit: 2 }, last)).toBeUndefined();
  });

  it('continues by skip where the list does not take after', () => {
    const expected = '</managers?limit=10&skip=60>; rel="next", </managers?limit=10&skip=40>; rel="prev"';
    expect(linkHeader('/managers?limit=10&skip=50', { skip: 50, limit: 10 }, { hasMore: true })).toBe(expected);
  });

  it('gives a prev that does not overlap with this page', () => {
    const prev = '</users?limit=3&skip=0>; rel="prev"';
    expect(linkHeader('/users?skip=3&limit=10', { skip: 3, limit: 10 }, last)).toBe(prev);
    expect(linkHeader('/users?skip=50', { skip: 50, limit: 50 }, last)).toBe('</users?skip=0>; rel="prev"');
  });
});
