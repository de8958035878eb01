import fc from 'fast-check';
import type { Answer, Client } from '../support/client';
import { Service, startService } from '../support/service';
import { Command, requestOf, step } from './model/commands';
import { differenceOf } from './model/judge';
import type { ModelUser, State } from './model/state';
import type { ModelRequest } from './model/verdict';

/** How many sequences, of how many steps; `MODEL_RUNS`, `MODEL_STEPS` and `MODEL_SEED` set others. */
const RUNS = Number(process.env.MODEL_RUNS ?? 200);
const STEPS = Number(process.env.MODEL_STEPS ?? 40);
/** Milliseconds after which no further sequence begins: a slow machine runs fewer. */
const TIME_LIMIT = 80_000;
const SEED = Number(process.env.MODEL_SEED ?? 20260316);

const COLLECTIONS = ['User', 'AdminList', 'Organization', 'Api'];

let service: Service;
let actors: Client[];
/** What is stored before each sequence: the standing Users with their sessions, and nothing else. */
const initial = new Map<string, object[]>();
beforeAll(async () => {
  service = await startService();
  actors = [service.admin, await service.account(), await service.account(), await service.account()];
  for (const name of COLLECTIONS) initial.set(name, await service.model(name).collection.find({}).toArray());
});
afterAll(() => service.stop());

/** The service as it was in the beginning, and the model of it. */
async function begin(): Promise<State> {
  for (const [name, records] of initial) {
    const { collection } = service.model(name);
    await collection.deleteMany({});
    if (records.length > 0) await collection.insertMany(records);
  }
  const users = new Map<string, ModelUser>();
  for (const { user } of actors) {
    const { _id, username, companyName, email, roles } = user;
    users.set(_id, { username, companyName, email, roles: [...roles], etag: undefined, formerEtags: [] });
  }
  return { users, organizations: new Map(), apis: new Map() };
}

function send({ method, path, actor, body, ifMatch }: ModelRequest): Promise<Answer> {
  const client = actors.find(({ id }) => id === actor)!;
  return client.send({ method, path: `/${path.join('/')}`, payload: body, headers: { 'if-match': ifMatch } });
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, at) =>
    ordersOf(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
  );
}

type Exchange = { request: ModelRequest; answer: Answer };

/**
 * The state after requests that were under way at the same time: there must be an order in which the model gives the
 * very answers that the service gave (contract §1.8).
 *
 * @throws Error that names what differs, in every order
 */
function afterAllOf(state: State, exchanges: readonly Exchange[]): State {
  const differences: string[] = [];
  for (const order of ordersOf(exchanges)) {
    const after = structuredClone(state);
    const difference = order
      .map((exchange) => differenceOf({ state: after, isRace: exchanges.length > 1, ...exchange }))
      .find(Boolean);
    if (difference === undefined) return after;
    differences.push(difference);
  }
  throw new Error(differences.join('\n'));
}

/** Whatever the steps said, the records read one by one are those of the model, and what must be unique is. */
async function expectSame(state: State): Promise<void> {
  const reads = (['users', 'organizations', 'apis'] as const).flatMap((resource) =>
    [...state[resource].keys()].map((id): ModelRequest => ({
      method: 'GET',
      path: [resource, id],
      actor: actors[0]!.id,
    })),
  );
  for (const request of reads) afterAllOf(state, [{ request, answer: await send(request) }]);
}

async function run(steps: readonly Command[][], trace: string[]): Promise<void> {
  let state = await begin();
  for (const commands of steps) {
    const requests = commands.map((command) =>
      requestOf(
        state,
        command,
        actors.map(({ id }) => id),
      ),
    );
    const answers = await Promise.all(requests.map(send));
    const exchanges = requests.map((request, at) => ({ request, answer: answers[at]! }));
    trace.push(
      exchanges
        .map(({ request, answer }) => `${JSON.stringify(request)} → ${answer.status} ${answer.text}`)
        .join('\n  and '),
    );
    state = afterAllOf(state, exchanges);
  }
  await expectSame(state);
}

it(
  `${RUNS} sequences of ${STEPS} steps, some of them at once, do what the model of the contract does`,
  async () => {
    const sequence = fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const trace: string[] = [];
      await run(steps, trace).catch((error: unknown) => {
        throw new Error(`${trace.slice(-12).join('\n')}\n${error instanceof Error ? error.message : String(error)}`);
      });
    });
    const limits = { interruptAfterTimeLimit: TIME_LIMIT, markInterruptAsFailure: false };
    await fc.assert(sequence, { numRuns: RUNS, seed: SEED, endOnFailure: true, ...limits });
  },
  TIME_LIMIT + 30_000,
);
