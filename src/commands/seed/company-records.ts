import type { INestApplicationContext } from '@nestjs/common';
import { validateFields } from '../../platform/http/fields/validate-fields';
import { AllRecords } from '../../platform/records/records.module';
import { ApiInput } from '../../registry/apis/api.dto';
import { Api, type ApiRecord } from '../../registry/apis/api.schema';
import { ApisService } from '../../registry/apis/apis.service';
import { CreateConsumerInput } from '../../registry/consumers/consumer.dto';
import { Consumer, type StoredConsumer } from '../../registry/consumers/consumer.schema';
import { ConsumersService } from '../../registry/consumers/consumers.service';
import { FilesService } from '../../registry/files/files.service';
import { ManagersService } from '../../registry/managers/managers.service';
import { OrganizationInput } from '../../registry/organizations/organization.dto';
import { Organization, type OrganizationRecord } from '../../registry/organizations/organization.schema';
import { OrganizationsService } from '../../registry/organizations/organizations.service';
import { User, type UserRecord } from '../../registry/users/user.schema';
import { type CompanyOrganization, EMPLOYERS, ORGANIZATIONS } from './company';
import { APIS, type CompanyApi } from './company-apis';
import { asAdmin } from './demo-records';
import { drawLogo } from './logo';

/** Adds one record, unless it is there or what it needs is not. @returns whether it was added */
type Adding = () => Promise<boolean>;

/**
 * The Users, Organizations with logos, APIs and Consumers of the example company. They are known by their e-mail address or
 * `externalId`: renamed ones stay as they are, and a record of somebody else that has the name of one takes no part.
 */
export class CompanyRecords {
  private readonly users;
  private readonly organizations;
  private readonly apis;
  private readonly consumers;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly passwordHash: string,
  ) {
    const records = app.get(AllRecords);
    this.users = records.of<UserRecord>(User.name);
    this.organizations = records.of<OrganizationRecord>(Organization.name);
    this.apis = records.of<ApiRecord>(Api.name);
    this.consumers = records.of<StoredConsumer>(Consumer.name);
  }

  /** In an order in which each finds what it refers to. */
  all(): readonly Adding[] {
    const all: Adding[] = [];
    for (const { people, companyName } of EMPLOYERS)
      for (const name of people) all.push(() => this.addUser(name, companyName));
    for (const [name, fields] of Object.entries(ORGANIZATIONS)) all.push(() => this.addOrganization(name, fields));
    for (const [name, fields] of Object.entries(APIS)) all.push(() => this.addApi(name, fields));
    for (const [name, { usedBy = {} }] of Object.entries(APIS))
      for (const [consumer, note] of Object.entries(usedBy)) all.push(() => this.addConsumer(name, consumer, note));
    return all;
  }

  private async addUser(username: string, companyName: string): Promise<boolean> {
    const email = emailOf(username);
    if ((await this.users.exists({ usernameKey: username })) || (await this.users.exists({ emailKey: email })))
      return false;
    const { passwordHash } = this;
    await this.users.insert({ username, email, companyName, passwordHash, emailSetByAdmin: true });
    return true;
  }

  private async addOrganization(name: string, { description, managers, logo }: CompanyOrganization): Promise<boolean> {
    const externalId = idOf(name);
    const isThere =
      (await this.organizations.exists({ externalId })) ||
      (await this.organizations.exists({ nameKey: name.toLowerCase() }));
    const emails = managers.map(emailOf);
    const people = await this.users.find({ emailKey: { $in: emails } });
    const [first, ...others] = people.sort((one, other) => emails.indexOf(one.email) - emails.indexOf(other.email));
    if (isThere || !first) return false;
    const caller = asAdmin(first._id);
    const image = { fileName: `${slugOf(name)}.png`, contentType: 'image/png', bytes: drawLogo(...logo) } as const;
    const file = await this.app.get(FilesService).create(caller, image);
    const domain = domainOf(managers[0]!);
    const host = domain.startsWith(slugOf(name)) ? domain : `${slugOf(name)}.${domain}`;
    const { value } = validateFields(OrganizationInput, {
      ...{ name, description, externalId, organizationLogoFileId: String(file._id) },
      ...{ url: `https://${host}`, contactName: `${name} team`, contactEmail: `help@${host}` },
    });
    const organization = await this.app.get(OrganizationsService).create(caller, value);
    for (const { _id } of others)
      await this.app.get(ManagersService).create(caller, organization, { userId: String(_id) });
    return true;
  }

  private async addApi(name: string, { by, end, usedBy: _usedBy, ...fields }: CompanyApi): Promise<boolean> {
    const [owner] = await this.organizations.find({ externalId: idOf(by) });
    if (!owner) return false;
    const [externalId, organizationId] = [idOf(name), owner._id];
    const isThere =
      (await this.apis.exists({ organizationId, externalId })) ||
      (await this.apis.exists({ organizationId, nameKey: name.toLowerCase() }));
    if (isThere) return false;
    const [successor] = end ? await this.apis.find({ organizationId, externalId: idOf(end.successor) }) : [];
    const domain = domainOf(ORGANIZATIONS[by]!.managers[0]!);
    const { value } = validateFields(ApiInput, {
      ...{ name, externalId, isPublic: true },
      url: `https://api.${domain}/${slugOf(name)}`,
      documentationUrl: `https://developer.${domain}/${slugOf(name)}`,
      definitionUrl: `https://developer.${domain}/${slugOf(name)}/definition`,
      definitionType: 'openapi',
      ...(end && { sunsetAt: endOfMonth(end.inMonths), successorId: successor ? String(successor._id) : null }),
      ...fields,
    });
    await this.app.get(ApisService).create(asAdmin(owner.managers[0]!._id), owner, value);
    return true;
  }

  private async addConsumer(name: string, consumer: string, note: string): Promise<boolean> {
    const [owner] = await this.organizations.find({ externalId: idOf(APIS[name]!.by) });
    const [organization] = await this.organizations.find({ externalId: idOf(consumer) });
    if (!owner || !organization) return false;
    const [api] = await this.apis.find({ organizationId: owner._id, externalId: idOf(name) });
    if (!api || (await this.consumers.exists({ apiId: api._id, consumerId: organization._id }))) return false;
    const { value } = validateFields(CreateConsumerInput, { organizationId: String(organization._id), note });
    await this.app.get(ConsumersService).create(asAdmin(organization.managers[0]!._id), api, value);
    return true;
  }
}

const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
const idOf = (name: string): string => `demo-${slugOf(name)}`;
const emailOf = (username: string): string => `${username}@${domainOf(username)}`;

function domainOf(username: string): string {
  return EMPLOYERS.find(({ people }) => (people as readonly string[]).includes(username))!.domain;
}

/** The last day of the month that is so many months from now. */
function endOfMonth(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 0)).toISOString().slice(0, 10);
}
