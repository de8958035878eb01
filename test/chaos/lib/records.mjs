import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { historyProblems } from './history.mjs';
import { until } from './processes.mjs';

/** Number of broken records that are named. */
const SHOWN = 5;

/**
 * @typedef {object | null} State what a record's response contains at least; null for a record that is gone
 */

/**
 * Remembers what the service acknowledged. After a write that was not acknowledged, both the state before it and the
 * state after it are possible; no other write of the same records may follow.
 *
 * That is so even after a 4xx: when the database dies after a commit and before its response, the embedded database does
 * not know the transaction any more, so the driver runs it again, and a deletion then finds nothing (404).
 */
export class Records {
  /** Number of acknowledged writes. */
  acknowledged = 0;
  /** The responses that a write must never get: 500, for example. */
  unexpected = [];
  /** Number of writes without a response. */
  unanswered = 0;
  /** @type {Map<string, State[]>} the possible states by path */
  #states = new Map();
  /** @type {Map<string, number>} the status by the path of each record whose last write was refused with 4xx */
  #refused = new Map();

  /**
   * Creates a record at `path`, which is then below `home`.
   *
   * @returns {Promise<string | undefined>} its path; undefined if that was not acknowledged
   */
  async create(client, path, home, body, headers) {
    const response = await client.send('POST', path, body, headers);
    if (!this.#isDone(response)) return undefined;
    const at = `${home}/${response.body.data._id}`;
    this.#states.set(at, [Buffer.isBuffer(body) ? {} : visible(body)]);
    return at;
  }

  /**
   * Sends a write that changes these records, all of them or none.
   *
   * @param {Record<string, State>} changes the new states by path
   * @param {() => Promise<import('./client.mjs').Outcome>} send
   * @returns {Promise<boolean>} whether it was acknowledged
   */
  async write(changes, send) {
    const before = Object.keys(changes).map((path) => [path, this.#states.get(path)]);
    for (const [path, states] of before) this.#states.set(path, [...states, changes[path]]);
    const response = await send();
    const isDone = this.#isDone(response);
    if (isDone) for (const [path] of before) this.#states.set(path, [changes[path]]);
    else if (response.status >= 400 && response.status < 500)
      for (const [path] of before) this.#refused.set(path, response.status);
    return isDone;
  }

  /**
   * Compares what is stored with what was acknowledged.
   *
   * @param {import('./client.mjs').Client} client
   * @returns {Promise<{lost: string[], halfDone: string[], refused: string[]}>} paths of records that are not as
   *   acknowledged, of those that are neither as before nor as after their last write, and of those that a refused write
   *   has changed
   */
  async compare(client) {
    const result = { lost: [], halfDone: [], refused: [] };
    const paths = [...this.#states.keys()];
    const compareNext = async () => {
      for (let path = paths.pop(); path; path = paths.pop()) {
        const { status, body } = await client.get(path);
        if (status !== 200 && status !== 404) throw new Error(`GET ${path}: ${status}`);
        const stored = status === 404 ? null : (body ?? {});
        const states = this.#states.get(path);
        const status4xx = this.#refused.get(path);
        if (!states.some((state) => matches(stored, state))) {
          (states.length === 1 ? result.lost : result.halfDone).push(path);
        } else if (status4xx && !matches(stored, states[0])) result.refused.push(`${path} (${status4xx})`);
      }
    };
    await Promise.all(Array.from({ length: 4 }, compareNext));
    return result;
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
   * @param {import('./service.mjs').Service} service
   * @param {string} when completes "lost writes"
   */
  async report(report, service, when) {
    const admin = await service.admin();
    const { lost, halfDone, refused } = await this.compare(admin);
    const history = await historyProblems(admin);
    const broken = await service.brokenInvariants();
    report.atMost(`lost of ${this.acknowledged} acknowledged writes ${when}`, lost.length, 0);
    report.atMost(`writes half done ${when}`, halfDone.length, 0);
    report.atMost(`broken invariants afterwards (npm run check:data)`, broken.length, 0);
    report.atMost(`Events that do not fit their records ${when}`, history.length, 0);
    report.atMost(`responses 500 ${when}`, this.unexpected.length, 0);
    for (const line of [...lost, ...halfDone, ...broken, ...history, ...this.unexpected].slice(0, SHOWN))
      report.note(line);
    if (refused.length > 0) report.note(`Refused and yet done: ${refused.join(', ')}`);
  }

  #isDone({ status, body }) {
    if (status === 0) this.unanswered += 1;
    if (status >= 500 && status !== 503) this.unexpected.push(`${status} ${JSON.stringify(body)}`);
    const isDone = status >= 200 && status < 300;
    if (isDone) this.acknowledged += 1;
    return isDone;
  }
}

/** Fields of a body that the response shows. */
function visible({ password: _password, ...body }) {
  return body;
}

function matches(stored, state) {
  if (stored === null || state === null) return stored === state;
  return Object.keys(state).every((field) => isDeepStrictEqual(stored[field], state[field]));
}
