import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { until } from './programs.mjs';

/** Pause of a writer after a write that failed (ms). */
const REST_MS = 100;
const url = 'https://roster.example';

/** @typedef {object | null} State what a record's response contains at least; null for a deleted record */

/**
 * Remembers what the service acknowledged. After a write that was not acknowledged, both the state before it and the
 * state after it are possible; no other write of the same records may follow.
 */
export class Records {
  /** Number of acknowledged writes, and of those without a response. */
  acknowledged = 0;
  unanswered = 0;
  /** The responses that a write must never get: 500, for example. */
  unexpected = [];
  /** @type {Map<string, State[]>} the possible states by path */
  #states = new Map();

  /**
   * Creates a record at `path`, which is then below `home`.
   *
   * @returns {Promise<string | undefined>} its path; undefined if that was not acknowledged
   */
  async create(client, path, home, body, headers) {
    const response = await client.send('POST', path, body, headers);
    if (!this.#isDone(response)) return undefined;
    const at = `${home}/${response.body.data._id}`;
    this.#states.set(at, [Buffer.isBuffer(body) ? {} : body]);
    return at;
  }

  /**
   * Sends a write that changes these records, all of them or none.
   *
   * @param {Record<string, State>} changes the new states by path
   * @param {() => Promise<import('../../support/http-client.mjs').Outcome>} send
   * @returns {Promise<boolean>} whether it was acknowledged
   */
  async write(changes, send) {
    const before = Object.keys(changes).map((path) => [path, this.#states.get(path)]);
    for (const [path, states] of before) this.#states.set(path, [...states, changes[path]]);
    const isDone = this.#isDone(await send());
    if (isDone) for (const [path] of before) this.#states.set(path, [changes[path]]);
    return isDone;
  }

  /** Waits until that many further writes are acknowledged. @param {number} count */
  async more(count) {
    const enough = this.acknowledged + count;
    await until(() => this.acknowledged >= enough, `${count} writes`);
  }

  /** Waits until 30 further writes are acknowledged, and then for a random moment: the time for a kill. */
  async untilKill() {
    await this.more(30);
    await sleep(Math.random() * 200);
  }

  /**
   * Reports that nothing that was acknowledged is lost and nothing is half done.
   *
   * @param {import('./report.mjs').Report} report
   * @param {import('./programs.mjs').Service} service
   * @param {string} when completes "lost writes"
   */
  async report(report, service, when) {
    const [lost, halfDone] = await this.#differences(await service.admin());
    const broken = await service.brokenInvariants();
    report.none(`lost of ${this.acknowledged} acknowledged writes ${when}`, lost);
    report.none(`writes half done ${when}`, halfDone);
    report.none('broken invariants afterwards (npm run check:data)', broken);
    report.none(`responses 500 ${when}`, this.unexpected);
  }

  /** @returns the paths of records that are not as acknowledged, and of those neither as before nor as after a write */
  async #differences(client) {
    const [lost, halfDone] = [[], []];
    for (const [path, states] of this.#states) {
      const { status, body } = await client.get(path);
      if (status !== 200 && status !== 404) throw new Error(`GET ${path}: ${status}`);
      const stored = status === 404 ? null : (body ?? {});
      if (!states.some((state) => matches(stored, state))) (states.length === 1 ? lost : halfDone).push(path);
    }
    return [lost, halfDone];
  }

  #isDone({ status, body }) {
    if (status === 0) this.unanswered += 1;
    if (status >= 500 && status !== 503) this.unexpected.push(`${status} ${JSON.stringify(body)}`);
    const isDone = status >= 200 && status < 300;
    if (isDone) this.acknowledged += 1;
    return isDone;
  }
}

function matches(stored, state) {
  if (stored === null || state === null) return stored === state;
  return Object.keys(state).every((field) => isDeepStrictEqual(stored[field], state[field]));
}

/** Writers that create, change and delete records, most of which take several documents each. */
export class MixedLoad {
  #isOn = true;
  #writers;

  /**
   * @param {import('../../support/http-client.mjs').Client} client an Admin
   * @param {Records} records
   * @param {string} name makes the names of the records unique
   */
  constructor(client, records, name) {
    this.#writers = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let number = 0; this.#isOn; number += 1) {
          const isDone = await writeSome(client, records, `${name}-${writer}-${number}`, number);
          if (!isDone) await sleep(REST_MS);
        }
      }),
    );
  }

  /** Waits for what is under way. */
  async stop() {
    this.#isOn = false;
    await this.#writers;
  }
}

/** Gives up at the first write that is not acknowledged: what is stored then is not certain. */
async function writeSome(client, records, name, number) {
  const organization = await records.create(client, '/organizations', '/organizations', { name, url });
  const api =
    organization && (await records.create(client, `${organization}/apis`, '/apis', { name, url, isPublic: true }));
  if (!api) return false;
  const put = (path, content) => client.send('PUT', path, content);
  const body = { name: `${name} renamed`, url, featuredApiIds: [idOf(api)] };
  if (!(await records.write({ [organization]: body }, () => put(organization, body)))) return false;
  // An API that is no longer public cannot be featured.
  const hidden = { name: `${name} hidden`, url, isPublic: false };
  const changes = { [api]: hidden, [organization]: { ...body, featuredApiIds: [] } };
  if (!(await records.write(changes, () => put(api, hidden)))) return false;
  const username = name.toLowerCase();
  const person = { username, companyName: name, email: `${username}@roster.example`, externalId: username };
  const user = await records.create(client, '/users', '/users', person);
  if (!user) return false;
  const managerIds = { managerIds: [client.user._id, idOf(user)] };
  const add = () => client.send('POST', `${organization}/managers`, { userId: idOf(user) });
  if (!(await records.write({ [organization]: managerIds }, add))) return false;
  const without = { [organization]: { managerIds: [client.user._id] }, [user]: null };
  if (!(await records.write(without, () => client.send('DELETE', user)))) return false;
  if (number % 2 !== 0) return true;
  return records.write({ [organization]: null, [api]: null }, () => client.send('DELETE', organization));
}

function idOf(path) {
  return path.split('/').at(-1);
}
