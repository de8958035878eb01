import type { ApiKeyScope } from '../../src/platform/http/access/api-key';
import { withKey } from '../registry/api-keys/keys';
import { Client } from '../support/client';
import { addManager, createOrganization } from '../support/records';
import type { Service } from '../support/service';

export const CALLERS = ['nobody', 'account', 'other Manager', 'Manager', 'Admin'] as const;
export type Caller = (typeof CALLERS)[number];

/** Callers of every kind, and fresh records for each request, which may change or delete them. */
export class Fixtures {
  private readonly programs = new Map<string, Client>();

  private constructor(
    readonly service: Service,
    readonly callers: Readonly<Record<Caller, Client>>,
    /** A User without records of their own. */
    readonly another: Client,
  ) {}

  /** Makes the callers; the one who is another Organization's Manager has one. */
  static async of(service: Service): Promise<Fixtures> {
    const { nobody, admin } = service;
    const [account, other, manager, another] = await service.accountsOf(4);
    const callers = { nobody, account: account!, 'other Manager': other!, Manager: manager!, Admin: admin };
    const fixtures = new Fixtures(service, callers, another!);
    await fixtures.organization(other);
    return fixtures;
  }

  /** An Organization of this Manager and of `another`. */
  async organization(manager = this.callers.Manager): Promise<string> {
    const { Admin } = this.callers;
    const { _id } = await createOrganization(Admin);
    for (const { id } of [manager, this.another]) await addManager(Admin, _id, id);
    await Admin.delete(`/organizations/${_id}/managers/${Admin.id}`);
    return _id;
  }

  /** A new login of this person. */
  login({ user, password }: Client): Promise<Client> {
    return this.service.logIn({ username: user.username, password });
  }

  /** The caller with an API key of this scope, which is made for the first request. */
  async program(caller: Caller, scope: ApiKeyScope): Promise<Client> {
    const name = `${caller} ${scope}`;
    const program = this.programs.get(name) ?? (await withKey(this.callers[caller], { scope })).program;
    this.programs.set(name, program);
    return program;
  }

  /** The caller, or for nobody another User. */
  own(caller: Caller): Client {
    return caller === 'nobody' ? this.another : this.callers[caller];
  }
}
