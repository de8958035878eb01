import { setTimeout as sleep } from 'node:timers/promises';
import { form, png } from '../../support/uploads.mjs';

const url = 'https://roster.example';
/** Pause of a writer after a write that failed (ms). */
const REST_MS = 100;

/** Writers that create, change and delete records of all kinds, most of which take several documents each. */
export class MixedLoad {
  #isOn = true;
  #writers;

  /**
   * @param {import('./client.mjs').Client} client an Admin
   * @param {import('./records.mjs').Records} records
   * @param {string} name makes the names of the records unique
   * @param {number} [writers] how many write at the same time
   */
  constructor(client, records, name, writers = 4) {
    this.#writers = Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
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
  if (!organization) return false;
  const api = await records.create(client, `${organization}/apis`, '/apis', { name, url, isPublic: true });
  if (!api) return false;
  // None any more once 20 kills came between an upload and the write that makes it a logo.
  const logo = number % 3 === 0 ? await upload(client, records, name) : undefined;
  const body = {
    name: `${name} renamed`,
    url,
    featuredApiIds: [idOf(api)],
    organizationLogoFileId: logo ? idOf(logo) : null,
  };
  const put = (path, content) => client.send('PUT', path, content);
  if (!(await records.write({ [organization]: body }, () => put(organization, body)))) return false;
  const hidden = { name: `${name} hidden`, url, isPublic: false };
  const changes = { [api]: hidden, [organization]: { ...body, featuredApiIds: [] } };
  if (!(await records.write(changes, () => put(api, hidden)))) return false;
  if (number % 5 === 1) return comeAndGo(client, records, organization, name);
  if (number % 2 !== 0) return true;
  const gone = Object.fromEntries([organization, api, ...(logo ? [logo] : [])].map((path) => [path, null]));
  return records.write(gone, () => client.send('DELETE', organization));
}

async function upload(client, records, name) {
  const { body, headers } = await form({ data: png(), fileName: `${name}.png` });
  return records.create(client, '/files', '/files', body, headers);
}

/** A new User becomes a manager, and is deleted. */
async function comeAndGo(client, records, organization, name) {
  const username = name.toLowerCase();
  const person = {
    username,
    companyName: name,
    email: `${username}@roster.example`,
    password: `the password of ${name}`,
  };
  const user = await records.create(client, '/users', '/users', person);
  if (!user) return false;
  const managerIds = [client.user._id];
  const withUser = { managerIds: [...managerIds, idOf(user)] };
  const add = () => client.send('POST', `${organization}/managers`, { userId: idOf(user) });
  if (!(await records.write({ [organization]: withUser }, add))) return false;
  return records.write({ [organization]: { managerIds }, [user]: null }, () => client.send('DELETE', user));
}

function idOf(path) {
  return path.split('/').at(-1);
}
