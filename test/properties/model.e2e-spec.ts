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
const TIME_LIMIT = 60_000;
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
 * What the registry may be after requests that were under way at the same time: there must be an order in which the model
 * gives the very answers that the service gave (contract §1.8). Several orders may, and later answers tell which it was.
 *
 * @param states what it may have been before
 * @throws Error that names what differs, in every order
 */
function statesAfter(states: readonly State[], exchanges: readonly Exchange[]): State[] {
  const differences: string[] = [];
  const possible = new Map<string, State>();
  for (const state of states) {
    for (const order of ordersOf(exchanges)) {
      const after = structuredClone(state);
      const judge = (exchange: Exchange): string | undefined =>
        differenceOf({ state: after, isRace: exchanges.length > 1, ...exchange });
      const difference = order.map(judge).find(Boolean);
      if (difference === undefined) possible.set(textOf(after), after);
      else differences.push(difference);
    }
  }
  if (possible.size === 0) throw new Error(differences.join('\n'));
  return [...possible.values()];
}

function textOf(state: State): string {
  return JSON.stringify(Object.values(state).map((records: ReadonlyMap<string, unknown>) => [...records]));
}

/** Whatever the steps said, the records read one by one are those of the model. */
async function expectSame(states: State[]): Promise<void> {
  const [state] = states as [State];
  const actor = actors[0]!.id;
  const reads = (['users', 'organizations', 'apis'] as const).flatMap((resource) =>
    [...state[resource].keys()].map((id): ModelRequest => ({ method: 'GET', path: [resource, id], actor })),
  );
  let possible = states;
  for (const request of reads) possible = statesAfter(possible, [{ request, answer: await send(request) }]);
}

async function run(steps: readonly Command[][], trace: string[]): Promise<void> {
  let states = [await begin()];
  const ids = actors.map(({ id }) => id);
  for (const commands of steps) {
    const requests = commands.map((command) => requestOf(states[0]!, command, ids));
    const answers = await Promise.all(requests.map(send));
    const exchanges = requests.map((request, at) => ({ request, answer: answers[at]! }));
    trace.push(exchanges.map(shown).join('\n  and '));
    states = statesAfter(states, exchanges);
  }
  await expectSame(states);
}

function shown({ request, answer }: Exchange): string {
  return `${JSON.stringify(request)} → ${answer.status} ${answer.text}`;
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
