import type { INestApplicationContext } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Api, ApiRecord, LIFECYCLE_STATUSES, MAX_APIS } from '../../registry/apis/api.schema';
import { ApiInput } from '../../registry/apis/api.dto';
import { ApisService } from '../../registry/apis/apis.service';
import type { Account } from '../../platform/http/access/account';
import { StartError } from '../../platform/base/errors/start-error';
import { AllRecords } from '../../platform/records/records.module';
import { ManagersService } from '../../registry/managers/managers.service';
import { OrganizationInput } from '../../registry/organizations/organization.dto';
import { Organization, OrganizationRecord } from '../../registry/organizations/organization.schema';
import { OrganizationsService } from '../../registry/organizations/organizations.service';
import { User, UserRecord } from '../../registry/users/user.schema';
import { validateFields } from '../../platform/http/fields/validate-fields';

/** Adds the record with a number, from 1, unless another has one of its unique values. @returns whether it was added */
export type AddOne = (number: number) => Promise<boolean>;

const COMPANIES = ['Analytical Engines Ltd', 'Nets & Sons', 'Fjord Freight', 'Écluse Logiciels', 'Kiln Works'];

/** `demo-user-1` and so on. */
export function demoUsers(app: INestApplicationContext, passwordHash: string): AddOne {
  const users = app.get(AllRecords).of<UserRecord>(User.name);
  return async (number) => {
    const username = `demo-user-${number}`;
    const email = `${username}@roster.example`;
    if ((await users.exists({ usernameKey: username })) || (await users.exists({ emailKey: email }))) return false;
    const companyName = COMPANIES[number % COMPANIES.length]!;
    await users.insert({ username, email, companyName, passwordHash, emailSetByAdmin: true });
    return true;
  };
}

/** `Demo Organization 1` and so on, each managed by two demo Users. */
export async function demoOrganizations(app: INestApplicationContext): Promise<AddOne> {
  const organizations = app.get(AllRecords).of<OrganizationRecord>(Organization.name);
  const users = app.get(AllRecords).of<UserRecord>(User.name);
  const owners = await users.find({ usernameKey: { $regex: '^demo-user-[0-9]+$' } });
  const ownerOf = inTurn(owners, 'Organizations need Users to manage them: use --users 1 or more.');
  return async (number) => {
    const isTaken =
      (await organizations.exists({ nameKey: `demo organization ${number}` })) ||
      (await organizations.exists({ 'slugs.text': `demo-organization-${number}` }));
    if (isTaken) return false;
    const { value } = validateFields(OrganizationInput, {
      name: `Demo Organization ${number}`,
      url: `https://organization-${number}.example`,
      description: `Number ${number} of the demo Organizations.`,
      contactName: 'Help desk',
      contactEmail: `help@organization-${number}.example`,
    });
    const [creator, other] = [ownerOf(number), ownerOf(number + 1)];
    const caller = asAdmin(creator._id);
    const organization = await app.get(OrganizationsService).create(caller, value);
    if (other !== creator) await app.get(ManagersService).create(caller, organization, { userId: String(other._id) });
    return true;
  };
}

/** `Demo API 1` and so on, which the demo Organizations get in turn; two of three are public. */
export async function demoApis(app: INestApplicationContext, total: number): Promise<AddOne> {
  const apis = app.get(AllRecords).of<ApiRecord>(Api.name);
  const organizations = app.get(AllRecords).of<OrganizationRecord>(Organization.name);
  const owners = await organizations.find({ nameKey: { $regex: '^demo organization [0-9]+$' } });
  const ownerOf = inTurn(owners, 'APIs need Organizations: use --organizations 1 or more.');
  if (owners.length > 0 && total > MAX_APIS * owners.length)
    throw new StartError(`An Organization has at most ${MAX_APIS} APIs: use more --organizations.`);
  return async (number) => {
    // An API's name is unique only in its Organization.
    if (await apis.exists({ 'slugs.text': `demo-api-${number}` })) return false;
    const { value } = validateFields(ApiInput, {
      name: `Demo API ${number}`,
      url: `https://api-${number}.example/v1`,
      description: `Number ${number} of the demo APIs.`,
      lifecycleStatus: LIFECYCLE_STATUSES[number % LIFECYCLE_STATUSES.length]!,
      isPublic: number % 3 !== 0,
      documentationUrl: `https://api-${number}.example/docs`,
      definitionUrl: `https://api-${number}.example/openapi.json`,
      definitionType: 'openapi',
      tags: ['demo', number % 2 === 0 ? 'even' : 'odd'],
    });
    // As it is now: somebody may be changing it.
    const owner = (await organizations.get(ownerOf(number)._id)) ?? ownerOf(number);
    await app.get(ApisService).create(asAdmin(owner.createdBy), owner, value);
    return true;
  };
}

/** The records in turn, the oldest first. */
function inTurn<R extends { _id: Types.ObjectId }>(records: R[], noRecords: string): (number: number) => R {
  records.sort((one, other) => (String(one._id) < String(other._id) ? -1 : 1));
  return (number) => {
    const record = records[(number - 1) % records.length];
    if (!record) throw new StartError(noRecords);
    return record;
  };
}

/** A demo User without the limits of one. */
export function asAdmin(_id: Types.ObjectId): Account {
  return { _id, username: 'demo', isAdmin: true };
}
