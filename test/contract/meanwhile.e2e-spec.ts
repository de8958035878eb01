import { createApi } from '../apis/api-records';
import type { ApiResponse, Client, Headers } from '../support/client';
import { Expected, expectOutcome } from '../support/expect-error';
import { meanwhile, Moment, MOMENTS } from '../support/meanwhile';
import { createOrganization, etag, ifMatch, newManager } from '../support/records';
import { Service, useService } from '../support/service';

/** A record at revision `revision`, with two callers who may change it, and what takes the right from the first. */
interface Scene {
  path: string;
  body: object;
  revision: number;
  one: Client;
  other: Client;
  /** Changes the record too. */
  takeRight?: () => Promise<unknown>;
}

interface Kind {
  kind: string;
  model: string;
  notFound: Expected;
  scene: () => Promise<Scene>;
  /** PUTs of different ways to write: one update, and transactions. */
  changes: readonly object[];
  /** A change of a field that none of `changes` sets. */
  theirs: object;
}

let service: Service;
useService((started) => (service = started));
let otherAdmin: Client | undefined;
let numbers = 0;

async function organizationScene(): Promise<Scene> {
  const one = await service.account();
  const { _id } = await createOrganization(one);
  const other = await newManager(service, _id);
  const path = `/organizations/${_id}`;
  const { body } = await one.get(path);
  return { path, body, revision: 1, one, other, takeRight: () => other.delete(`${path}/managers/${one.id}`) };
}

async function apiScene(): Promise<Scene> {
  const { one, other, body, takeRight } = await organizationScene();
  const api = await createApi(one, (body as { _id: string })._id, { isPublic: true });
  const path = `/apis/${api._id}`;
  const leave = async (): Promise<unknown> => [await other.put(path, { ...api, ...theirs }), await takeRight?.()];
  return { path, body: api, revision: 0, one, other, takeRight: leave };
}

/** Two Admins, because only they may change a username or an e-mail address. */
async function userScene(): Promise<Scene> {
  const user = await service.account();
  otherAdmin ??= await service.account({ roles: ['admin'] });
  return { path: `/users/${user.id}`, body: user.userBody(), revision: 0, one: otherAdmin, other: service.admin };
}

const theirs = { description: 'Theirs' };
const rename = (): object => ({ name: `Renamed ${(numbers += 1)}` });
const kinds: Kind[] = [
  {
    kind: 'Organization',
    model: 'Organization',
    notFound: 'organizationNotFound',
    scene: organizationScene,
    changes: [{ url: 'https://ours.example' }, rename()],
    theirs,
  },
  {
    kind: 'API',
    model: 'Api',
    notFound: 'apiNotFound',
    scene: apiScene,
    changes: [{ url: 'https://ours.example' }, rename(), { isPublic: false }],
    theirs,
  },
  {
    kind: 'User',
    model: 'User',
    notFound: 'userNotFound',
    scene: userScene,
    changes: [{ companyName: 'Ours' }, { username: 'renamed' }],
    theirs: { email: 'theirs@roster.example' },
  },
];

describe.each(kinds)('while a request changes or deletes one $kind (contract §1.8)', (kind) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await kind.scene();
  });
  afterEach(() => service.admin.delete(scene.path));

  const stored = (): Promise<object | null> => service.stored(kind.model, scene.path.split('/')[2]);
  const put = (changes: object, headers = {}, client = scene.one): Promise<ApiResponse> =>
    client.put(scene.path, { ...scene.body, ...changes }, headers);
  const changeByOther = (): Promise<ApiResponse> => put(kind.theirs, {}, scene.other);
  const deleteByOther = (): Promise<ApiResponse> => scene.other.delete(scene.path);
  const current = (): Headers => ifMatch(scene.revision);

  const writes = MOMENTS.flatMap((moment) => kind.changes.map((change) => [moment, change] as const));

  describe.each(writes)('and %s of a PUT of %j', (moment: Moment, change) => {
    it('somebody else changes it: the last write wins', async () => {
      const response = await meanwhile(service, moment, changeByOther, () => put(change));
      const revision = scene.revision + 2;
      expect(response).toMatchObject({ status: 200, body: { data: change } });
      expect(response.headers.etag).toBe(etag(revision));
      expect(await stored()).toMatchObject({ ...change, revision });
      expect(await stored()).not.toMatchObject(kind.theirs);
    });

    it('somebody else changes it: If-Match refuses the write, and their change stays', async () => {
      const response = await meanwhile(service, moment, changeByOther, () => put(change, current()));
      expectOutcome(response, 'preconditionFailed');
      expect(await stored()).toMatchObject({ ...kind.theirs, revision: scene.revision + 1 });
      expect(await stored()).not.toMatchObject(change);
    });

    it('somebody else makes the same change: nothing is left to do', async () => {
      const same = (): Promise<ApiResponse> => put(change, {}, scene.other);
      const response = await meanwhile(service, moment, same, () => put(change));
      expect(response).toMatchObject({ status: 200, headers: { etag: etag(scene.revision + 1) } });
      expect(await stored()).toMatchObject({ ...change, revision: scene.revision + 1 });
    });

    it('it is deleted: it is not found, and not written again', async () => {
      const request = (): Promise<ApiResponse> => put(change, current(), service.admin);
      expectOutcome(await meanwhile(service, moment, deleteByOther, request), kind.notFound);
      expect(await stored()).toBeNull();
    });

    it('the caller loses the right: they may change nothing', async () => {
      const { takeRight } = scene;
      if (!takeRight) return;
      expectOutcome(await meanwhile(service, moment, takeRight, () => put(change, current())), 'forbidden');
      expect(await stored()).not.toMatchObject(change);
    });
  });

  describe.each(MOMENTS)('and %s of a DELETE', (moment) => {
    const remove = (headers = {}): Promise<ApiResponse> => scene.one.delete(scene.path, headers);

    it.each([{}, { 'if-match': '*' }])('somebody else changes it: deleted all the same, with %j', async (headers) => {
      expectOutcome(await meanwhile(service, moment, changeByOther, () => remove(headers)), 204);
      expect(await stored()).toBeNull();
    });

    it('somebody else changes it: If-Match keeps it', async () => {
      expectOutcome(await meanwhile(service, moment, changeByOther, () => remove(current())), 'preconditionFailed');
      expect(await stored()).toMatchObject(kind.theirs);
    });

    it('somebody else deletes it: it is not found', async () => {
      const request = (): Promise<ApiResponse> => service.admin.delete(scene.path, current());
      expectOutcome(await meanwhile(service, moment, deleteByOther, request), kind.notFound);
    });

    it('the caller loses the right: they may not delete it', async () => {
      const { takeRight } = scene;
      if (!takeRight) return;
      expectOutcome(await meanwhile(service, moment, takeRight, () => remove(current())), 'forbidden');
      expect(await stored()).not.toBeNull();
    });
  });
});
