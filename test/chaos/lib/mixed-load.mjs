import { setTimeout as sleep } from 'node:timers/promises';

const url = 'https://roster.example';
/** Pause of a writer after a write that failed (ms). */
const REST_MS = 100;

/** Writers that create, change and delete records, most of which take several documents each. */
export class MixedLoad {
  #isOn = true;
  #writers;

  /**
   * @param {import('../../support/http-client.mjs').Client} client an Admin
   * @param {import('./records.mjs').Records} records
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
