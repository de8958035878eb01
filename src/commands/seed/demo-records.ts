import type { Model } from 'mongoose';
import { Api, ApiSchema, LIFECYCLE_STATUSES } from '../../apis/api.schema';
import { StartError } from '../../config/start-error';
import { AnyModel, AnySchema } from '../../database/any-model';
import { derivedFields } from '../../database/derived-fields';
import { MAX_APIS, Organization, OrganizationSchema } from '../../organizations/organization.schema';
import { User, UserSchema } from '../../users/user.schema';
import { uniqueKey } from '../../validation/case-fold';

/** One kind of demo records, numbered from 1. */
export interface Kind<R extends object> {
  readonly model: AnyModel;
  /** The unique values of the record with this number: it is added only if no record has one of them. */
  unique(number: number): Record<string, string>;
  create(number: number): R;
  /** Updates the records that new ones refer to; runs in the transaction that adds them (docs/adr/0002). */
  addReferences?(records: readonly R[]): Promise<void>;
}

/** A record to be added, as far as its references are concerned. */
type NewOrganization = Pick<Organization, 'managers'>;
type NewApi = Pick<Api, 'organizationId'>;

const COMPANIES = ['Analytical Engines Ltd', 'Nets & Sons', 'Fjord Freight', 'Écluse Logiciels', 'Kiln Works'];

/** `demo-user-1` and so on. */
export function demoUsers(model: Model<User>, passwordHash: string): Kind<object> {
  const username = (number: number): string => `demo-user-${number}`;
  const email = (number: number): string => `demo-user-${number}@roster.example`;
  return {
    model,
    unique: (number) => ({ usernameKey: uniqueKey(username(number)), emailKey: uniqueKey(email(number)) }),
    create: (number) => {
      const companyName = COMPANIES[number % COMPANIES.length]!;
      const fields = { username: username(number), companyName, email: email(number) };
      return { ...stored(UserSchema, { ...fields, emailSetByAdmin: true }), passwordHash };
    },
  };
}

/** `Demo Organization 1` and so on, each managed by two demo Users. */
export async function demoOrganizations(
  model: Model<Organization>,
  users: Model<User>,
): Promise<Kind<NewOrganization>> {
  const filter = { usernameKey: { $regex: '^demo-user-[0-9]+$' } };
  const owners = await users.find(filter, { _id: 1 }).sort({ _id: 1 }).lean();
  const ownerOf = inTurn(owners, 'Organizations need Users to manage them: use --users 1 or more.');
  const name = (number: number): string => `Demo Organization ${number}`;
  const slug = (number: number): string => `demo-organization-${number}`;
  return {
    model,
    unique: (number) => ({ nameKey: uniqueKey(name(number)), 'slugs.text': slug(number) }),
    create: (number) => {
      const url = `https://organization-${number}.example`;
      const fields = { name: name(number), url, description: `Number ${number} of the demo Organizations.` };
      const record = stored(OrganizationSchema, fields, slug(number));
      const ids = new Set([number, number + 1].map((place) => ownerOf(place)._id));
      const joined = { createdBy: ownerOf(number)._id, createdAt: record.createdAt };
      return { ...record, ...joined, managers: [...ids].map((_id) => ({ _id, ...joined })) };
    },
    addReferences: (organizations) => addUserReferences(users, organizations),
  };
}

/** `Demo API 1` and so on, which the demo Organizations get in turn; two of three are public. */
export async function demoApis(model: Model<Api>, organizations: Model<Organization>): Promise<Kind<NewApi>> {
  const filter = { nameKey: { $regex: '^demo organization [0-9]+$' } };
  const owners = await organizations.find(filter, { createdBy: 1 }).sort({ _id: 1 }).lean();
  const ownerOf = inTurn(owners, 'APIs need Organizations: use --organizations 1 or more.');
  const slug = (number: number): string => `demo-api-${number}`;
  return {
    model,
    // An API's name is unique only in its Organization.
    unique: (number) => ({ 'slugs.text': slug(number) }),
    create: (number) => {
      const { _id: organizationId, createdBy } = ownerOf(number);
      const fields = {
        name: `Demo API ${number}`,
        url: `https://api-${number}.example/v1`,
        description: `Number ${number} of the demo APIs.`,
        lifecycleStatus: LIFECYCLE_STATUSES[number % LIFECYCLE_STATUSES.length]!,
        isPublic: number % 3 !== 0,
        documentationUrl: `https://api-${number}.example/docs`,
      };
      return { ...stored(ApiSchema, fields, slug(number)), organizationId, createdBy };
    },
    addReferences: (apis) => countApis(organizations, apis),
  };
}

async function addUserReferences(users: Model<User>, organizations: readonly NewOrganization[]): Promise<void> {
  const ids = new Set(organizations.flatMap(({ managers }) => managers.map(({ _id }) => _id)));
  const { matchedCount } = await users.updateMany({ _id: { $in: [...ids] } }, { $inc: { referenceCount: 1 } });
  if (matchedCount < ids.size) throw new StartError('A demo User was deleted in the meantime. Run the command again.');
}

async function countApis(organizations: Model<Organization>, apis: readonly NewApi[]): Promise<void> {
  for (const _id of new Set(apis.map(({ organizationId }) => organizationId))) {
    const count = apis.filter(({ organizationId }) => organizationId === _id).length;
    const change = { $inc: { apiCount: count, referenceCount: 1 } };
    const { matchedCount } = await organizations.updateOne({ _id, apiCount: { $lte: MAX_APIS - count } }, change);
    if (matchedCount === 0)
      throw new StartError(`An Organization has at most ${MAX_APIS} APIs: use more --organizations.`);
  }
}

/** Assigns records to their owners in turn. */
function inTurn<O>(owners: readonly O[], noOwners: string): (number: number) => O {
  return (number) => {
    const owner = owners[(number - 1) % owners.length];
    if (!owner) throw new StartError(noOwners);
    return owner;
  };
}

/** A new record with these fields and what is derived from them. */
function stored<F extends object>(schema: AnySchema, fields: F, slugText?: string): F & { createdAt: Date } {
  const slug = { text: slugText, base: slugText, index: 0 };
  const now = new Date();
  const derived = { ...derivedFields(schema, fields), ...(slugText && { slug, slugs: [slug] }) };
  return { ...fields, ...derived, createdAt: now, updatedAt: now };
}
