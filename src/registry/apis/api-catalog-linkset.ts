import type { ApiRecord } from './api.schema';

/** The path of the catalog, which is at the root of the host whatever BASE_PATH says (RFC 9727 §2). */
export const API_CATALOG_PATH = '/.well-known/api-catalog';

/** A link target (RFC 9264 §4.2.3); attributes that no RFC defines for links are lists of texts (§4.2.4.3). */
interface Target {
  readonly href: string;
  readonly title?: string;
  readonly deprecated?: readonly string[];
  readonly sunset?: readonly string[];
}

type Relation = 'item' | 'service-desc' | 'service-doc' | 'successor-version';

/** A link context (RFC 9264 §4.2.2), with the relations of RFC 6573, RFC 8631 and RFC 5829. */
type Context = { readonly anchor: string } & { [Name in Relation]?: Target[] };

/** An API of the catalog. */
export type CatalogApi = ApiRecord & { readonly url: string };

/** An API that is in the catalog, with what the context of another one shows of it. */
export type Listed = Pick<ApiRecord, 'isPublic' | 'lifecycleStatus' | 'url'>;

/** Whether the catalog has an API: a public one that clients can call, also if it is deprecated. */
export function isListed<T extends Listed>(api: T): api is T & { url: string } {
  return api.isPublic && api.lifecycleStatus !== 'design' && Boolean(api.url);
}

/**
 * A page of the catalog as a linkset (RFC 9264 §4.2): first the catalog with an `item` for each API, then what is known of
 * each URL. APIs with the same URL share one context.
 * @param successors the URLs of the successors that are in the catalog, by their ids
 */
export function linksetOf(apis: readonly CatalogApi[], successors: ReadonlyMap<string, string>): Context[] {
  // A path, which clients resolve against the catalog's own URI: the service does not know the host that they see.
  const catalog: Context = { anchor: API_CATALOG_PATH, item: apis.map(itemOf) };
  const contexts = new Map<string, Context>();
  for (const { url: anchor, definitionUrl, documentationUrl, successorId } of apis) {
    const links = {
      'service-desc': definitionUrl,
      'service-doc': documentationUrl,
      'successor-version': successors.get(String(successorId)),
    };
    for (const [relation, href] of Object.entries(links) as [Relation, string | null | undefined][]) {
      if (!href) continue;
      const context = contexts.get(anchor) ?? { anchor };
      const targets = (context[relation] ??= []);
      if (!targets.some((target) => target.href === href)) targets.push({ href });
      contexts.set(anchor, context);
    }
  }
  return [catalog, ...contexts.values()];
}

function itemOf({ url: href, name: title, lifecycleStatus, sunsetAt }: CatalogApi): Target {
  return {
    href,
    title,
    ...(lifecycleStatus === 'deprecated' && { deprecated: ['true'] }),
    ...(sunsetAt && { sunset: [sunsetAt] }),
  };
}
