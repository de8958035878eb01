import type { ApiResponse, Client, Headers } from '../support/client';
import { Expected, expectOutcome } from '../support/expect-error';
import { meanwhile, MOMENTS } from '../support/meanwhile';
import { newManager } from '../support/records';
import { useService } from '../support/service';
import { declaredOperations } from './operations';
import { createWorld, requestOf } from './world';

/** Read from the controllers, so a resource that is added later is tested, too. */
const resources = declaredOperations().filter(({ method }) => method === 'PUT');

const service = useService();
let number = 0;

const cases = MOMENTS.flatMap((moment) => resources.map((operation) => ({ moment, operation })));

describe.each(cases)('$moment of $operation.title or a DELETE of it (contract §1.8)', ({ moment, operation }) => {
  const notFound = `${operation.path.split('/')[1]!.slice(0, -1)}NotFound` as Expected;
  let path: string;
  let before: ApiResponse;
  /** The changes of two requests. Ours is of a field that has to be unique. */
  let ours: object;
  let theirs: object;
  let manager: Client;
  let removeManager: () => Promise<ApiResponse>;
  beforeEach(async () => {
    const world = await createWorld(service);
    const { organizations } = world.ids as { organizations: string };
    // An account that can be deleted: the first Admin is the last one.
    path = requestOf(operation, { ...world, ids: { ...world.ids, users: world.stranger.id } }).path;
    manager = await newManager(service, organizations);
    removeManager = () => service.admin.delete(`/organizations/${organizations}/managers/${manager.id}`);
    before = await get();
    const name = `ours-${(number += 1)}`;
    const isUser = 'username' in before.body;
    ours = isUser ? { username: name } : { name };
    const other = 'url' in before.body ? { url: 'https://theirs.example' } : { name: `theirs-${number}` };
    theirs = isUser ? { companyName: 'Theirs' } : other;
  });

  const get = (): Promise<ApiResponse> => service.admin.get(path);
  const current = (): Headers => ({ 'if-match': before.headers.etag });
  const put = (change: object, headers: Headers = {}, client = service.admin): Promise<ApiResponse> =>
    client.put(path, { ...before.body, ...change }, headers);
  const remove = (headers: Headers = {}, client = service.admin): Promise<ApiResponse> => client.delete(path, headers);
  const putTheirs = (): Promise<ApiResponse> => put(theirs);
  const during = (event: () => Promise<unknown>, request: () => Promise<ApiResponse>): Promise<ApiResponse> =>
    meanwhile(service, moment, event, request);

  it('somebody else changes it: the last PUT wins', async () => {
    const { status, body, headers } = await during(putTheirs, () => put(ours));
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: ours });
    expect(body.data).not.toMatchObject(theirs);
    expect(await get()).toMatchObject({ body: body.data, headers: { etag: headers.etag } });
  });

  it.each([
    ['PUT', () => put(ours, current())],
    ['DELETE', () => remove(current())],
  ])('somebody else changes it: If-Match refuses the %s, and their change stays', async (_method, request) => {
    expectOutcome(await during(putTheirs, request), 'preconditionFailed');
    const { body } = await get();
    expect(body).toMatchObject(theirs);
    expect(body).not.toMatchObject(ours);
  });

  it('somebody else makes the same change: nothing is left to do', async () => {
    let first: ApiResponse | undefined;
    const response = await during(
      async () => (first = await put(ours)),
      () => put(ours),
    );
    expect(response).toMatchObject({ status: 200, body: first!.body, headers: { etag: first!.headers.etag } });
  });

  it.each([{}, { 'if-match': '*' }])('somebody else changes it: deleted all the same, with %j', async (headers) => {
    expectOutcome(await during(putTheirs, () => remove(headers)), 204);
    expectOutcome(await get(), notFound);
  });

  it.each([
    ['PUT', () => put(ours, current())],
    ['DELETE', () => remove(current())],
  ])('somebody else deletes it: the %s does not find it, and writes nothing', async (_method, request) => {
    expectOutcome(await during(remove, request), notFound);
    expectOutcome(await get(), notFound);
  });

  if (operation.rule !== 'manager') return;

  it.each([
    ['PUT', () => put(ours, current(), manager)],
    ['DELETE', () => remove(current(), manager)],
  ])('it changes, and the caller loses the right: the %s changes nothing', async (_method, request) => {
    const takeRight = async (): Promise<unknown> => [await putTheirs(), await removeManager()];
    expectOutcome(await during(takeRight, request), 'forbidden');
    const { body } = await get();
    expect(body).toMatchObject(theirs);
    expect(body).not.toMatchObject(ours);
  });
});
