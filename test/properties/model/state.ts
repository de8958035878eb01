import { transliterate } from 'transliteration';
import { gif, jpeg, png, webp } from '../../support/images';

/** The images that are uploaded, by the name of the file: small, and each of its own size. */
export const IMAGES = {
  'logo.png': { contentType: 'image/png', bytes: png(2, 3) },
  'logo.jpg': { contentType: 'image/jpeg', bytes: jpeg() },
  'logo.gif': { contentType: 'image/gif', bytes: gif() },
  'logo.webp': { contentType: 'image/webp', bytes: webp() },
} as const;

export type ImageName = keyof typeof IMAGES;

/** The registry as the contract describes it, in plain objects: of the service, only its responses are used here. */
export interface State {
  readonly users: Map<string, ModelUser>;
  readonly organizations: Map<string, ModelOrganization>;
  readonly apis: Map<string, ModelApi>;
  readonly files: Map<string, ModelFile>;
}

interface Versioned {
  /** The ETag that a response showed since the last change; none while no response has. */
  etag: string | undefined;
  /** Those of earlier versions: none of them may come again. */
  readonly formerEtags: string[];
}

export interface ModelUser extends Versioned {
  username: string;
  companyName: string;
  email: string;
  roles: string[];
}

export interface ModelSlug {
  readonly text: string;
  readonly base: string;
  readonly index: number;
}

interface Named extends Versioned {
  name: string;
  url: string;
  description: string;
  slug: ModelSlug;
  slugs: ModelSlug[];
  readonly createdBy: string;
}

export interface ModelOrganization extends Named {
  managerIds: string[];
  featuredApiIds: string[];
  organizationLogoFileId: string | null;
}

export interface ModelApi extends Named {
  readonly organizationId: string;
  readonly lifecycleStatus: string;
  readonly documentationUrl: null;
  isPublic: boolean;
}

export interface ModelFile extends Versioned {
  readonly fileName: ImageName;
  readonly createdBy: string;
  /** The Organization whose logo it is. */
  organizationId: string | null;
  /** True once it is one; no response shows it. */
  wasLogo: boolean;
}

export type ModelRecord = ModelUser | ModelOrganization | ModelApi | ModelFile;

/** Version of a new record. */
export const unversioned = (): Versioned => ({ etag: undefined, formerEtags: [] });

/** Notes that a record was changed: the next response tells what its ETag is now. */
export function touch(record: Versioned): void {
  if (record.etag !== undefined) record.formerEtags.push(record.etag);
  record.etag = undefined;
}

/** Changes a record, if that makes a difference. */
export function change<R extends Versioned>(record: R, fields: Partial<R>): void {
  const after = { ...record, ...fields };
  if (JSON.stringify(after) === JSON.stringify(record)) return;
  Object.assign(record, fields);
  touch(record);
}

/** A record as responses show it, dates aside. */
export function shown(_id: string, record: ModelRecord): object {
  const { etag: _, formerEtags: __, ...fields } = record;
  if ('fileName' in fields) {
    const { contentType, bytes } = IMAGES[fields.fileName];
    const { wasLogo: ____, ...own } = fields;
    return { _id, ...own, contentType, size: bytes.length };
  }
  if (!('slug' in fields)) return { _id, ...fields };
  const { slug, slugs: ___, ...named } = fields;
  return { _id, ...named, slug: slug.text, friendlySlugs: { slug: { base: slug.base, index: slug.index } } };
}

/** Contract §1.9, for the names that the run uses. */
export const keyOf = (text: string): string => text.normalize('NFKC').toUpperCase().toLowerCase();

/** Contract §3, Slugs; the names of the run are short enough not to be cut. */
function baseOf(name: string, fallback: string): string {
  const ascii = transliterate(name).toLowerCase();
  return ascii.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || fallback;
}

/**
 * The slug that a record of this collection has under a name, and all that find it.
 *
 * @param raced what the service gave while other writes were under way: any free index will do then, since the highest
 *   may have been that of a record that was just leaving
 */
export function slugsFor(
  records: ReadonlyMap<string, Named>,
  name: string,
  fallback: string,
  own?: Named,
  raced?: Pick<ModelSlug, 'base' | 'index'>,
): Pick<Named, 'slug' | 'slugs'> {
  const base = baseOf(name, fallback);
  const former = own?.slug.base === base ? own.slug : own?.slugs.find((slug) => slug.base === base);
  if (own && former) return { slug: former, slugs: own.slugs };
  const all = [...records.values()];
  const used = new Set(all.flatMap(({ slugs }) => slugs.map(({ text }) => text)));
  const current = all.filter(({ slug }) => slug.base === base).map(({ slug }) => slug.index);
  const textOf = (index: number): string => (index === 0 ? base : `${base}-${index}`);
  let index = current.length === 0 ? 0 : Math.max(...current) + 1;
  if (raced?.base === base && !used.has(textOf(raced.index))) index = raced.index;
  while (used.has(textOf(index))) index += 1;
  const slug = { text: textOf(index), base, index };
  return { slug, slugs: [...(own?.slugs ?? []), slug] };
}
