import fc from 'fast-check';
import { NOTHING } from '../../support/records';
import type { ModelRecord, State } from './state';
import type { ModelRequest } from './verdict';

/** What somebody wants to do; what it is about is found in the state by the numbers, which may also name nothing. */
export interface Command {
  readonly does: keyof typeof makers;
  /** One of the standing Users. */
  readonly actor: number;
  readonly target: number;
  readonly other: number;
  readonly text: number;
  /** Whether a PUT keeps what has to be unique. */
  readonly keeps: boolean;
  readonly flag: boolean;
  readonly ifMatch: 'none' | 'current' | 'former';
}

/** Few names, so that they collide: in case, in composition, in their slugs. */
const NAMES = ['Foo', 'foo!', 'FOO', 'Foo 1', 'B\u00e4r', 'BÄR', 'ünï', '!!', 'Straße', 'STRASSE'];
const LOGINS = ['ada', 'ADA', 'bob', 'cid', 'Cid', 'dan'];
const TEXTS = ['', 'We make nets.', 'We mend nets.'];

type Path = readonly string[];
type Maker = (state: State, command: Command) => Pick<ModelRequest, 'method' | 'path' | 'body'>;

const one = <T>(all: readonly T[], at: number): T => all[at % all.length] as T;

/** One of the ids, or, one time in seven, an id of nothing. */
function idIn(records: ReadonlyMap<string, unknown>, at: number): string {
  return records.size === 0 || at % 7 === 0 ? NOTHING : one([...records.keys()], at);
}

const userPath = (state: State, { target }: Command): Path => ['users', idIn(state.users, target)];
const organizationPath = (state: State, { target }: Command): Path => [
  'organizations',
  idIn(state.organizations, target),
];
const apiPath = (state: State, { target }: Command): Path => ['apis', idIn(state.apis, target)];
const managersPath = (state: State, command: Command): Path => [...organizationPath(state, command), 'managers'];
const apisPath = (state: State, command: Command): Path => [...organizationPath(state, command), 'apis'];
const managerPath = (state: State, command: Command): Path => [
  ...managersPath(state, command),
  idIn(state.users, command.other),
];

function userBody(
  state: State,
  { target, text, keeps, flag, other }: Command,
  isNew: boolean,
): Record<string, unknown> {
  const present = isNew ? undefined : state.users.get(idIn(state.users, target));
  const [username, email] = [one(LOGINS, text), `${one(LOGINS, other)}@roster.example`];
  const names = keeps && present ? { username: present.username, email: present.email } : { username, email };
  const roles = flag && (keeps || isNew) ? { roles: other % 2 === 0 ? ['admin'] : [] } : {};
  const password = isNew ? { password: 'a password of the model' } : {};
  return { ...names, companyName: one(NAMES, other), ...roles, ...password };
}

function organizationBody(state: State, command: Command, isNew: boolean): Record<string, unknown> {
  const { target, other, text, keeps, flag } = command;
  const present = isNew ? undefined : state.organizations.get(idIn(state.organizations, target));
  const id = idIn(state.organizations, target);
  // Those that may be featured, one time in four others too.
  const own = [...state.apis].filter(
    ([, { organizationId, isPublic }]) => organizationId === id && (isPublic || other % 4 === 0),
  );
  const wanted = own.slice(0, 1 + (other % 3)).map(([apiId]) => apiId);
  const featuredApiIds = flag && !isNew ? wanted : (present?.featuredApiIds ?? []);
  const name = keeps && present ? present.name : one(NAMES, text);
  return { name, url: 'https://nets.example', description: one(TEXTS, other), featuredApiIds };
}

function apiBody(state: State, { target, other, text, keeps, flag }: Command, isNew: boolean): Record<string, unknown> {
  const present = isNew ? undefined : state.apis.get(idIn(state.apis, target));
  const name = keeps && present ? present.name : one(NAMES, text);
  return { name, url: 'https://nets.example', description: one(TEXTS, other), isPublic: flag };
}

const makers = {
  listUsers: () => ({ method: 'GET', path: ['users'] }),
  createUser: (state, command) => ({ method: 'POST', path: ['users'], body: userBody(state, command, true) }),
  getUser: (state, command) => ({ method: 'GET', path: userPath(state, command) }),
  putUser: (state, command) => ({
    method: 'PUT',
    path: userPath(state, command),
    body: userBody(state, command, false),
  }),
  deleteUser: (state, command) => ({ method: 'DELETE', path: userPath(state, command) }),
  listOrganizations: () => ({ method: 'GET', path: ['organizations'] }),
  createOrganization: (state, command) => ({
    method: 'POST',
    path: ['organizations'],
    body: organizationBody(state, command, true),
  }),
  getOrganization: (state, command) => ({ method: 'GET', path: organizationPath(state, command) }),
  putOrganization: (state, command) => ({
    method: 'PUT',
    path: organizationPath(state, command),
    body: organizationBody(state, command, false),
  }),
  deleteOrganization: (state, command) => ({ method: 'DELETE', path: organizationPath(state, command) }),
  listManagers: (state, command) => ({ method: 'GET', path: managersPath(state, command) }),
  addManager: (state, command) => ({
    method: 'POST',
    path: managersPath(state, command),
    body: { userId: idIn(state.users, command.other) },
  }),
  getManager: (state, command) => ({ method: 'GET', path: managerPath(state, command) }),
  removeManager: (state, command) => ({ method: 'DELETE', path: managerPath(state, command) }),
  listApis: () => ({ method: 'GET', path: ['apis'] }),
  listApisOf: (state, command) => ({ method: 'GET', path: apisPath(state, command) }),
  createApi: (state, command) => ({
    method: 'POST',
    path: apisPath(state, command),
    body: apiBody(state, command, true),
  }),
  getApi: (state, command) => ({ method: 'GET', path: apiPath(state, command) }),
  putApi: (state, command) => ({ method: 'PUT', path: apiPath(state, command), body: apiBody(state, command, false) }),
  deleteApi: (state, command) => ({ method: 'DELETE', path: apiPath(state, command) }),
} satisfies Record<string, Maker>;

/** What is done more often than once in `sum of all` commands; deletions are rarer than what they need. */
const WEIGHTS: Partial<Record<Command['does'], number>> = {
  createUser: 1,
  deleteUser: 3,
  getOrganization: 6,
  createOrganization: 5,
  putOrganization: 8,
  addManager: 8,
  removeManager: 3,
  createApi: 8,
  putApi: 7,
  putUser: 4,
};

function commandOf(names: readonly Command['does'][]): fc.Arbitrary<Command> {
  const does = names.map((name) => ({ weight: WEIGHTS[name] ?? 2, arbitrary: fc.constant(name) }));
  return fc.record({
    does: fc.oneof(...does),
    // The first Admin does most, since others may do little.
    actor: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(3) }),
    target: fc.nat(59),
    other: fc.nat(59),
    text: fc.nat(59),
    keeps: fc.boolean(),
    flag: fc.boolean(),
    ifMatch: fc.oneof(
      { weight: 6, arbitrary: fc.constant('none' as const) },
      { weight: 2, arbitrary: fc.constant('current' as const) },
      { weight: 1, arbitrary: fc.constant('former' as const) },
    ),
  });
}

const all = Object.keys(makers) as Command['does'][];
const isRead = (name: string): boolean => /^(?:list|get)/.test(name);

/** One command, or two or three writes at once. */
export const step: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 5, arbitrary: commandOf(all).map((command) => [command]) },
  { weight: 1, arbitrary: fc.array(commandOf(all.filter((name) => !isRead(name))), { minLength: 2, maxLength: 3 }) },
);

/** A command as a request, by what there is. */
export function requestOf(state: State, command: Command, actors: readonly string[]): ModelRequest {
  const request = (makers[command.does] as Maker)(state, command);
  const [resource, id = '', inside] = request.path;
  const records = state[resource as keyof State] as ReadonlyMap<string, ModelRecord>;
  const record = inside === undefined && /^(?:PUT|DELETE)$/.test(request.method) ? records.get(id) : undefined;
  const tags = { none: undefined, current: record?.etag, former: record && (record.formerEtags.at(-1) ?? '"0"') };
  return { ...request, actor: one(actors, command.actor), ifMatch: tags[command.ifMatch] };
}
