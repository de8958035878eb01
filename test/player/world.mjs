import { Caller, userFields } from './caller.mjs';
import { Client } from './client.mjs';
import { created } from './expect.mjs';

/** What scenes share: the service, an Admin, and two Users without an Organization at first. */
export class World {
  /** @param {Record<string, string | undefined>} options of the command line */
  constructor(options) {
    this.options = options;
    this.client = new Client(options.base);
    this.anyone = new Caller(this.client);
  }

  /** Logs in the Admin, and creates the Users. @returns {Promise<this>} */
  async open() {
    const { admin: username, password } = this.options;
    this.admin = await new Caller(this.client, undefined, { user: { username }, password }).again();
    [this.alice, this.bob] = await Promise.all([this.newcomer(), this.newcomer()]);
    return this;
  }

  /** @param {object} [fields] @returns {Promise<Caller>} a new User who is logged in */
  newcomer = async (fields) => {
    const { password, ...rest } = userFields(fields);
    const user = created(await this.admin.post('/users', { ...rest, password }));
    return new Caller(this.client, undefined, { user, password }).again();
  };
}
