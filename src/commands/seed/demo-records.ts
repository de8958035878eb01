import type { Model } from 'mongoose';
import { Api, ApiSchema, LIFECYCLE_STATUSES } from '../../apis/api.schema';
import { StartError } from '../../config/start-error';
import { AnyModel } from '../../database/any-model';
import { newRecord } from '../../database/derived-fields';
import { MAX_APIS, Organization, OrganizationSchema } from '../../organizations/organization.schema';
import { User, UserSchema } from '../../users/user.schema';

export interface Kind<R extends object> {
  readonly model: AnyModel;
  /** Its unique values: it is added only if no record has one of them. */
  unique(record: R): Record<string, string>;
  create(number: number): R;
  /** Updates the records that new ones refer to; runs in the transaction that adds them (docs/adr/0002). */
  addReferences?(records: readonly R[]): Promise<void>;
}

const COMPANIES = ['Analytical Engines Ltd', 'Nets & Sons', 'Fjord Freight', 'Écluse Logiciels', 'Kiln Works'];

/** `demo-user-1` and so on. */
export function demoUsers(model: Model<User>, passwordHash: string): Kind<User> {
  return {
    model,
    unique: ({ usernameKey, emailKey }) => ({ usernameKey, emailKey }),
    create: (number) => {
      const username = `demo-user-${number}`;
      const companyName = COMPANIES[number % COMPANIES.length]!;
      const fields = { username, companyName, email: `${username}@roster.example`, passwordHash };
      return newRecord(UserSchema, { ...fields, emailSetByAdmin: true });
    },
  };
}

/** `Demo Organization 1` and so on, each managed by two demo Users. */
export async function demoOrganizations(model: Model<Organization>, users: Model<User>): Promise<Kind<Organization>> {
  const filter = { usernameKey: { $regex: '^demo-user-[0-9]+$' } };
  const owners = await users.find(filter, { _id: 1 }).sort({ _id: 1 }).lean();
  const ownerOf = inTurn(owners, 'Organizations need Users to manage them: use --users 1 or more.');
  return {
    model,
    unique: ({ nameKey, slug }) => ({ nameKey, 'slugs.text': slug.text }),
    create: (number) => {
      const url = `https://organization-${number}.example`;
      const description = `Number ${number} of the demo Organizations.`;
      const contact = { contactName: 'Help desk', contactEmail: `help@organization-${number}.example` };
      const fields = { name: `Demo Organization ${number}`, url, description, ...contact };
      const ids = new Set([number, number + 1].map((place) => ownerOf(place)._id));
      const joined = { createdBy: ownerOf(number)._id, createdAt: new Date() };
      const managers = [...ids].map((_id) => ({ _id, ...joined }));
      const slug = slugFields(`demo-organization-${number}`);
      return newRecord(OrganizationSchema, { ...fields, ...joined, ...slug, managers });
    },
    addReferences: (organizations) => addUserReferences(users, organizations),
  };
}

/** `Demo API 1` and so on, which the demo Organizations get in turn; two of three are public. */
export async function demoApis(model: Model<Api>, organizations: Model<Organization>): Promise<Kind<Api>> {
  const filter = { nameKey: { $regex: '^demo organization [0-9]+$' } };
  const owners = await organizations.find(filter, { createdBy: 1 }).sort({ _id: 1 }).lean();
  const ownerOf = inTurn(owners, 'APIs need Organizations: use --organizations 1 or more.');
  return {
    model,
    // An API's name is unique only in its Organization.
    unique: ({ slug }) => ({ 'slugs.text': slug.text }),
    create: (number) => {
      const { _id: organizationId, createdBy } = ownerOf(number);
      const fields = {
        name: `Demo API ${number}`,
        url: `https://api-${number}.example/v1`,
        description: `Number ${number} of the demo APIs.`,
        lifecycleStatus: LIFECYCLE_STATUSES[number % LIFECYCLE_STATUSES.length]!,
        isPublic: number % 3 !== 0,
        documentationUrl: `https://api-${number}.example/docs`,
        definitionUrl: `https://api-${number}.example/openapi.json`,
        definitionType: 'openapi',
        tags: ['demo', number % 2 === 0 ? 'even' : 'odd'],
      };
      return newRecord(ApiSchema, { ...fields, ...slugFields(`demo-api-${number}`), organizationId, createdBy });
    },
    addReferences: (apis) => countApis(organizations, apis),
  };
}

async function addUserReferences(users: Model<User>, organizations: readonly Organization[]): Promise<void> {
  const ids = new Set(organizations.flatMap(({ managers }) => managers.map(({ _id }) => _id)));
  const { matchedCount } = await users.updateMany({ _id: { $in: [...ids] } }, { $inc: { referenceCount: 1 } });
  if (matchedCount < ids.size) throw new StartError('A demo User was deleted in the meantime. Run the command again.');
}

async function countApis(organizations: Model<Organization>, apis: readonly Api[]): Promise<void> {
  for (const _id of new Set(apis.map(({ organizationId }) => organizationId))) {
    const count = apis.filter(({ organizationId }) => organizationId === _id).length;
    const change = { $inc: { apiCount: count, referenceCount: 1 } };
    const { matchedCount } = await organizations.updateOne({ _id, apiCount: { $lte: MAX_APIS - count } }, change);
    if (matchedCount === 0)
      throw new StartError(`An Organization has at most ${MAX_APIS} APIs: use more --organizations.`);
  }
}

function inTurn<O>(owners: readonly O[], noOwners: string): (number: number) => O {
  return (number) => {
    const owner = owners[(number - 1) % owners.length];
    if (!owner) throw new StartError(noOwners);
    return owner;
  };
}

function slugFields(text: string): Pick<Organization, 'slug' | 'slugs'> {
  const slug = { text, base: text, index: 0 };
  return { slug, slugs: [slug] };
}
