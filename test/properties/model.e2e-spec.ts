import fc from 'fast-check';
import type { ApiResponse, Client } from '../support/client';
import { useService } from '../support/service';
import { contentsOf, differenceOf, storedContents } from './model/differences';
import { Command, ModelRequest, requestOf, step } from './model/requests';
import { ModelUser, State, unversioned } from './model/state';

/** Number of sequences and their steps; `MODEL_RUNS`, `MODEL_STEPS`, `MODEL_SEED` and `MODEL_SECONDS` set others. */
const RUNS = Number(process.env.MODEL_RUNS ?? 200);
const STEPS = Number(process.env.MODEL_STEPS ?? 40);
/** Milliseconds after which no further sequence begins: a slow machine runs fewer. */
const TIME_LIMIT = Number(process.env.MODEL_SECONDS ?? 10) * 1000;
const SEED = Number(process.env.MODEL_SEED ?? 20260316);

const service = useService();
let actors: Client[];
/** Contents of the database before each sequence: the standing Users with their sessions. */
const initial = new Map<string, object[]>();
beforeAll(async () => {
  actors = [service.admin, await service.account(), await service.account(), await service.account()];
  for (const name of service.connection.modelNames())
    initial.set(name, await service.model(name).collection.find({}).toArray());
});

/** The service as it was in the beginning, and the model of it. */
async function begin(): Promise<State> {
  await Promise.all([...initial].map(([name, records]) => restore(name, records)));
  const users = new Map<string, ModelUser>();
  for (const { user } of actors) {
    const { _id, username, companyName, email, roles } = user;
    users.set(_id, { username, companyName, email, roles: [...roles], ...unversioned() });
  }
  return { users, organizations: new Map(), apis: new Map() };
}

async function restore(name: string, records: object[]): Promise<void> {
  const { collection } = service.model(name);
  await collection.deleteMany({});
  if (records.length > 0) await collection.insertMany(records);
}

function send({ method, path, actor, body, ifMatch }: ModelRequest): Promise<ApiResponse> {
  const client = actors.find(({ id }) => id === actor)!;
  return client.send({ method, path: `/${path.join('/')}`, payload: body, headers: { 'if-match': ifMatch } });
}

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, at) =>
    ordersOf(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
  );
}

type Exchange = { request: ModelRequest; response: ApiResponse };

/**
 * Possible states after requests that were under way at the same time: there must be an order in which the model
 * gives the very responses that the service gave (contract §1.8). Several orders may, and later responses tell which it was.
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
      const differenceFor = (exchange: Exchange): string | undefined =>
        differenceOf({ state: after, isRace: exchanges.length > 1, ...exchange });
      const difference = order.map(differenceFor).find(Boolean);
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

/** Those of the states that are stored. */
async function statesStored(states: readonly State[]): Promise<State[]> {
  const stored = await storedContents(service);
  const possible = states.filter((state) => contentsOf(state) === stored);
  if (possible.length === 0) throw new Error(`Stored is\n${stored}\nnot\n${states.map(contentsOf).join('\nor\n')}`);
  return possible;
}

/** Whatever the steps said, the records read one by one are those of the model. */
async function expectSame(states: readonly State[]): Promise<void> {
  const [state] = states as readonly [State];
  const [{ id: actor }] = actors as [Client];
  const single = { users: 'getUser', organizations: 'getOrganization', apis: 'getApi' } as const;
  const reads = Object.entries(single).flatMap(([resource, operation]) => {
    const ids = [...state[resource as keyof typeof single].keys()];
    return ids.map((id): ModelRequest => ({ operation, method: 'GET', path: [resource, id], actor }));
  });
  const responses = await Promise.all(reads.map(send));
  let possible = [...states];
  reads.forEach((request, at) => (possible = statesAfter(possible, [{ request, response: responses[at]! }])));
}

async function run(steps: readonly Command[][], trace: string[]): Promise<void> {
  let states = [await begin()];
  const ids = actors.map(({ id }) => id);
  for (const commands of steps) {
    const requests = commands.map((command) => requestOf(states[0]!, command, ids));
    const responses = await Promise.all(requests.map(send));
    const exchanges = requests.map((request, at) => ({ request, response: responses[at]! }));
    trace.push(exchanges.map(shown).join('\n  and '));
    states = statesAfter(states, exchanges);
    if (requests.length > 1) states = await statesStored(states);
  }
  await expectSame(await statesStored(states));
}

function shown({ request, response }: Exchange): string {
  return `${JSON.stringify(request)} → ${response.status} ${response.text}`;
}

it(
  `up to ${RUNS} sequences of ${STEPS} steps, some of them at the same time, do what the model of the contract does`,
  async () => {
    let last = Promise.resolve();
    const sequence = fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), (steps) => {
      const trace: string[] = [];
      last = run(steps, trace).catch((error: unknown) => {
        throw new Error(`${trace.slice(-12).join('\n')}\n${error instanceof Error ? error.message : String(error)}`);
      });
      return last;
    });
    const limits = { interruptAfterTimeLimit: TIME_LIMIT, markInterruptAsFailure: false };
    await fc.assert(sequence, { numRuns: RUNS, seed: SEED, endOnFailure: true, ...limits });
    // fast-check does not wait for the sequence that the time limit interrupts.
    await last;
  },
  TIME_LIMIT + 300_000,
);
