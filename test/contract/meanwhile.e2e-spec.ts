import type { ApiResponse, Client, Headers } from '../support/client';
import { expectOutcome } from '../support/expect-error';
import { meanwhile, MOMENTS } from '../support/meanwhile';
import { newManager } from '../support/records';
import { notFoundOf, replacing, resourceOf } from '../support/scenes';
import { useService } from '../support/service';
import { changesOf, Stage } from '../support/stage';

const service = useService();
const cases = MOMENTS.flatMap((moment) => replacing.map((operation) => ({ moment, operation })));

describe.each(cases)('$moment of $operation.title or a DELETE of it (contract §1.8)', ({ moment, operation }) => {
  const notFound = notFoundOf(resourceOf(operation));
  let caller: Client;
  let path: string;
  let before: ApiResponse;
  /** The changes of two requests. Ours is of a field that has to be unique, if there is one. */
  let ours: object;
  let theirs: object;
  let manager: Client;
  let removeManager: () => Promise<ApiResponse>;
  beforeEach(async () => {
    const stage = await Stage.of(service);
    caller = await stage.callerOf(resourceOf(operation));
    path = await stage.path(operation.path);
    before = await get();
    [ours, theirs] = changesOf(resourceOf(operation));
    if (operation.rule !== 'manager') return;
    const { _id } = await stage.record('organizations');
    manager = await newManager(service, _id);
    before = await get();
    removeManager = () => stage.owner.delete(`/organizations/${_id}/managers/${manager.id}`);
  });

  const get = (): Promise<ApiResponse> => caller.get(path);
  const current = (): Headers => ({ 'if-match': before.headers.etag });
  const put = (change: object, headers: Headers = {}, client = caller): Promise<ApiResponse> =>
    client.put(path, { ...before.body, ...change }, headers);
  const remove = (headers: Headers = {}, client = caller): Promise<ApiResponse> => client.delete(path, headers);
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
