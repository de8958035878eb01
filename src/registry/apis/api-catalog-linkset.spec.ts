import type { LifecycleStatus } from './api.schema';
import { type CatalogApi, isListed, linksetOf } from './api-catalog-linkset';

const URL = 'https://nets.example';
const DEFINITION = `${URL}/openapi.json`;
const DOCUMENTATION = `${URL}/docs`;

const api = (fields: object): CatalogApi => ({ name: 'Nets', url: URL, isPublic: true, ...fields }) as CatalogApi;
const linkset = (...apis: object[]): object[] => linksetOf(apis.map(api), new Map());

describe('the API catalog', () => {
  it.each<[LifecycleStatus, boolean]>([
    ['design', false],
    ['development', true],
    ['testing', true],
    ['production', true],
    ['deprecated', true],
  ])('has an API in %s: %s', (lifecycleStatus, expected) => {
    expect(isListed(api({ lifecycleStatus }))).toBe(expected);
  });

  it('says of an item that it is deprecated, and when it ends, in lists of one text', () => {
    const deprecated = { lifecycleStatus: 'deprecated' as const };
    const [catalog] = linkset(deprecated, { sunsetAt: '2027-03-31T00:00+01:00' }, { sunsetAt: null });
    const item = { href: URL, title: 'Nets' };
    expect(catalog).toEqual({
      anchor: '/.well-known/api-catalog',
      item: [{ ...item, deprecated: ['true'] }, { ...item, sunset: ['2027-03-31T00:00+01:00'] }, item],
    });
  });

  it('has one context for APIs with the same URL, with each link once, and none without links', () => {
    const other = { definitionUrl: 'https://other.example', documentationUrl: DOCUMENTATION };
    const [, ...contexts] = linkset({ definitionUrl: DEFINITION, documentationUrl: DOCUMENTATION }, other, {
      url: 'https://plain.example',
      definitionUrl: null,
    });
    const documents = [{ href: DEFINITION }, { href: 'https://other.example' }];
    expect(contexts).toEqual([{ anchor: URL, 'service-desc': documents, 'service-doc': [{ href: DOCUMENTATION }] }]);
  });

  it('reads an API that was stored before it had an end', () => {
    expect(linkset({})).toEqual([{ anchor: '/.well-known/api-catalog', item: [{ href: URL, title: 'Nets' }] }]);
  });
});
