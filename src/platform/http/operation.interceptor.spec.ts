import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import type { FastifyReply } from 'fastify';
import { createConnection, Types } from 'mongoose';
import { defer, lastValueFrom } from 'rxjs';
import { settingsWith } from '../../../test/support/settings';
import { currentTransaction } from '../records/transactions/context';
import { LostRace } from '../records/transactions/lost-race';
import { Transactions } from '../records/transactions/transactions';
import { WithoutTransaction } from './access/decorators';
import { OperationInterceptor } from './operation.interceptor';
import type { ResponsePlan } from './responses/response';
import { ResponseField } from './responses/response-fields';

class ThingDto {
  @ResponseField('id') _id!: string;
}

const [outer, inner, account] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
const access = {
  account: { _id: account },
  loaded: [{ record: { _id: outer } }, { record: { _id: inner } }],
  revisionOf: (id: string) => (id === String(outer) ? 3 : undefined),
  authorizeAgain: jest.fn(() => Promise.resolve(false)),
};

let transactions: Transactions;
let run: jest.SpyInstance;
beforeEach(() => {
  // Handlers that send no command need no database.
  transactions = new Transactions(createConnection());
  run = jest.spyOn(transactions, 'run');
  access.authorizeAgain.mockClear();
});

/** What the response has of the result of a handler. */
function respond(
  request: object,
  work: () => Promise<object>,
  { response, handler = () => undefined }: { response?: ResponsePlan; handler?: () => void } = {},
): Promise<{ body: object | undefined; headers: Record<string, unknown> }> {
  const headers: Record<string, unknown> = {};
  const reply = {
    request: { url: '/base/things/all', headers: {} },
    routeOptions: { config: { response } },
    header: (name: string, value: unknown) => (headers[name] = value),
  } as unknown as FastifyReply;
  const context = new ExecutionContextHost([request, reply], ThingDto, handler);
  const interceptor = new OperationInterceptor(transactions, settingsWith({ BASE_PATH: '/base' }));
  const handled = interceptor.intercept(context, { handle: () => defer(work) });
  return lastValueFrom(handled).then((body) => ({ body, headers }));
}

const inTransaction = (): Promise<object> => Promise.resolve({ is: currentTransaction() !== undefined });

test.each(['POST', 'PUT', 'DELETE'])('The handler of a %s runs in a transaction', async (method) => {
  expect((await respond({ method, access }, inTransaction)).body).toEqual({ is: true });
});

test('Reads, requests outside the contract, and handlers that say so run in no transaction', async () => {
  const handler = (): void => undefined;
  WithoutTransaction('sends one command')({}, 'handler', { value: handler });
  const all = [
    await respond({ method: 'GET', access }, inTransaction),
    await respond({ method: 'HEAD', access }, inTransaction),
    await respond({ method: 'POST' }, inTransaction),
    await respond({ method: 'POST', access }, inTransaction, { handler }),
  ];
  expect(all.map(({ body }) => body)).toEqual(all.map(() => ({ is: false })));
  expect(run).not.toHaveBeenCalled();
});

test('A handler that loses a race runs again, once the caller is authorized again', async () => {
  const work = jest.fn(() => Promise.resolve({ a: 1 }));
  work.mockRejectedValueOnce(new LostRace());
  expect((await respond({ method: 'PUT', access }, work)).body).toEqual({ a: 1 });
  expect([work.mock.calls.length, access.authorizeAgain.mock.calls.length]).toEqual([2, 1]);
});

test('A write waits for others of its account and of the outermost record of the path, at the revision of that', async () => {
  const writerOf = async (more: object) => {
    await respond({ method: 'PUT', access: { ...access, ...more } }, inTransaction);
    return (run.mock.lastCall as Parameters<Transactions['run']>)[1]!;
  };
  const writer = await writerOf({});
  expect(writer).toMatchObject({ record: String(outer), account: String(account) });
  expect([outer, inner].map((id) => writer.revisionOf?.(String(id)))).toEqual([3, undefined]);
  expect(await writerOf({ loaded: [], account: undefined })).toMatchObject({ record: undefined, account: undefined });
});

test('The response shows the result as the handler declares; without that it is the result', async () => {
  const result = { _id: outer, secret: 'a' };
  const work = (): Promise<object> => Promise.resolve(result);
  const response: ResponsePlan = { kind: 'created', dto: ThingDto, location: '/things' };
  const data = { _id: String(outer) };
  for (const method of ['GET', 'POST']) {
    expect((await respond({ method, access }, work)).body).toBe(result);
    const { body, headers } = await respond({ method, access }, work, { response });
    expect({ body, location: headers.location }).toEqual({
      body: { status: 'success', data },
      location: `/base/things/${String(outer)}`,
    });
  }
});
