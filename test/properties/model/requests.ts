import fc from 'fast-check';
import { NOTHING } from '../../support/records';
import { ModelRecord, State } from './state';

/** Random command. Numbers are looked up in the state, and may also name nothing. */
export interface Command {
  readonly operation: OperationName;
  /** One of the standing Users. */
  readonly actor: number;
  readonly target: number;
  readonly other: number;
  readonly text: number;
  /** True for a PUT that keeps what has to be unique. */
  readonly keeps: boolean;
  readonly flag: boolean;
  readonly ifMatch: 'none' | 'current' | 'former';
}

/** A complete request: it can be sent, and the model can apply it in any order among others. */
export interface ModelRequest {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: readonly string[];
  /** The id of the User who sends it. */
  readonly actor: string;
  readonly body?: Body;
  readonly ifMatch?: string;
}

type Body = Readonly<Record<string, unknown>>;
type PathOf = (state: State, command: Command) => string[];
type BodyOf = (state: State, command: Command, isNew: boolean) => Body;

const one = <T>(all: readonly T[], at: number): T => all[at % all.length] as T;

/** One of the ids, or, one time in seven, an id of nothing. */
const idIn = (records: ReadonlyMap<string, unknown>, at: number): string =>
  records.size === 0 || at % 7 === 0 ? NOTHING : one([...records.keys()], at);

/** Few names, so that they collide: in case, in composition. */
const NAMES = ['Foo', 'foo!', 'FOO', 'Foo 1', 'B\u00e4r', 'BÄR', 'ünï', '!!', 'Straße', 'STRASSE'];
const LOGINS = ['ada', 'ADA', 'bob', 'cid', 'Cid', 'dan'];
const TEXTS = ['', 'We make nets.', 'We mend nets.'];

const userBody: BodyOf = (state, { target, text, keeps, flag, other }, isNew) => {
  const present = isNew ? undefined : state.users.get(idIn(state.users, target));
  const [username, email] = [one(LOGINS, text), `${one(LOGINS, other)}@roster.example`];
  const names = keeps && present ? { username: present.username, email: present.email } : { username, email };
  const roles = flag && (keeps || isNew) ? { roles: other % 2 === 0 ? ['admin'] : [] } : {};
  const password = isNew ? { password: 'a password of the model' } : {};
  return { ...names, companyName: one(NAMES, other), ...roles, ...password };
};

const organizationBody: BodyOf = (state, { target, other, text, keeps, flag }, isNew) => {
  const id = idIn(state.organizations, target);
  const present = isNew ? undefined : state.organizations.get(id);
  // Those that may be featured, one time in four others too.
  const own = [...state.apis].filter(
    ([, { organizationId, isPublic }]) => organizationId === id && (isPublic || other % 4 === 0),
  );
  const wanted = own.slice(0, 1 + (other % 3)).map(([apiId]) => apiId);
  const featuredApiIds = flag && !isNew ? wanted : (present?.featuredApiIds ?? []);
  const name = keeps && present ? present.name : one(NAMES, text);
  const described = { name, url: 'https://nets.example', description: one(TEXTS, other) };
  return { ...described, featuredApiIds };
};

const apiBody: BodyOf = (state, { target, other, text, keeps, flag }, isNew) => {
  const present = isNew ? undefined : state.apis.get(idIn(state.apis, target));
  const name = keeps && present ? present.name : one(NAMES, text);
  return { name, url: 'https://nets.example', description: one(TEXTS, other), isPublic: flag };
};

const managerBody: BodyOf = ({ users }, { other }) => ({ userId: idIn(users, other) });

const user: PathOf = ({ users }, { target }) => ['users', idIn(users, target)];
const organization: PathOf = ({ organizations }, { target }) => ['organizations', idIn(organizations, target)];
const managers: PathOf = (state, command) => [...organization(state, command), 'managers'];
const manager: PathOf = (state, command) => [...managers(state, command), idIn(state.users, command.other)];
const apisOf: PathOf = (state, command) => [...organization(state, command), 'apis'];
const api: PathOf = ({ apis }, { target }) => ['apis', idIn(apis, target)];

const operations = {
  listUsers: ['GET', () => ['users']],
  createUser: ['POST', () => ['users'], userBody],
  getUser: ['GET', user],
  putUser: ['PUT', user, userBody],
  deleteUser: ['DELETE', user],
  listOrganizations: ['GET', () => ['organizations']],
  createOrganization: ['POST', () => ['organizations'], organizationBody],
  getOrganization: ['GET', organization],
  putOrganization: ['PUT', organization, organizationBody],
  deleteOrganization: ['DELETE', organization],
  listManagers: ['GET', managers],
  addManager: ['POST', managers, managerBody],
  getManager: ['GET', manager],
  removeManager: ['DELETE', manager],
  listApis: ['GET', () => ['apis']],
  listApisOf: ['GET', apisOf],
  createApi: ['POST', apisOf, apiBody],
  getApi: ['GET', api],
  putApi: ['PUT', api, apiBody],
  deleteApi: ['DELETE', api],
} satisfies Record<string, [ModelRequest['method'], PathOf, BodyOf?]>;

export type OperationName = keyof typeof operations;

/** Weights of the operations: deletions are rarer than what they need. */
const WEIGHTS: Partial<Record<OperationName, number>> = {
  ...{ createUser: 1, deleteUser: 3, putUser: 4, createApi: 8, putApi: 7 },
  ...{ getOrganization: 6, createOrganization: 5, putOrganization: 8, addManager: 8, removeManager: 3 },
};

function weighted<T>(...choices: readonly (readonly [weight: number, value: T])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

function commandOf(names: readonly OperationName[]): fc.Arbitrary<Command> {
  return fc.record({
    operation: weighted(...names.map((name) => [WEIGHTS[name] ?? 2, name] as const)),
    // The first Admin does most, since others may do little.
    actor: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(3) }),
    target: fc.nat(59),
    other: fc.nat(59),
    text: fc.nat(59),
    keeps: fc.boolean(),
    flag: fc.boolean(),
    ifMatch: weighted<Command['ifMatch']>([6, 'none'], [2, 'current'], [1, 'former']),
  });
}

const all = Object.keys(operations) as OperationName[];
const writes = commandOf(all.filter((name) => operations[name][0] !== 'GET'));

/** Two or three writes at the same time, half of the time about the same records. */
const race = fc.tuple(fc.array(writes, { minLength: 2, maxLength: 3 }), fc.boolean()).map(([commands, isAboutSame]) => {
  const { target } = commands[0]!;
  return isAboutSame ? commands.map((command) => ({ ...command, target })) : commands;
});

/** One command, or some writes at the same time. */
export const step: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 5, arbitrary: commandOf(all).map((command) => [command]) },
  { weight: 1, arbitrary: race },
);

/** A command as a request, by what there is. */
export function requestOf(state: State, command: Command, actors: readonly string[]): ModelRequest {
  const { operation, ifMatch } = command;
  const [method, pathOf, bodyOf]: [ModelRequest['method'], PathOf, BodyOf?] = operations[operation];
  const path = pathOf(state, command);
  const records = state[path[0] as keyof State] as ReadonlyMap<string, ModelRecord>;
  const record = path.length === 2 && /^(?:PUT|DELETE)$/.test(method) ? records.get(path[1]!) : undefined;
  const tags = { none: undefined, current: record?.etag, former: record && (record.formerEtags.at(-1) ?? '"0"') };
  const body = bodyOf?.(state, command, method === 'POST');
  return { operation, method, path, body, actor: one(actors, command.actor), ifMatch: tags[ifMatch] };
}
