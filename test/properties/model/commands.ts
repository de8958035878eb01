import fc from 'fast-check';
import { apiBody, organizationBody, userBody } from './bodies';
import { Choice, idIn, fileIdIn, one } from './choice';
import { IMAGES, ImageName } from './images';
import type { ModelRecord, State } from './state';
import type { ModelRequest } from './verdict';

/** What somebody wants to do. */
export interface Command extends Choice {
  readonly does: keyof typeof makers;
  /** One of the standing Users. */
  readonly actor: number;
  readonly ifMatch: 'none' | 'current' | 'former';
}

type Path = readonly string[];
type Maker = (state: State, command: Command) => Pick<ModelRequest, 'method' | 'path' | 'body' | 'upload'>;

const userPath = (state: State, { target }: Command): Path => ['users', idIn(state.users, target)];
const organizationPath = (state: State, { target }: Command): Path => [
  'organizations',
  idIn(state.organizations, target),
];
const filePath = (state: State, { file }: Command): Path => ['files', fileIdIn(state, file)];
const apiPath = (state: State, { target }: Command): Path => ['apis', idIn(state.apis, target)];
const managersPath = (state: State, command: Command): Path => [...organizationPath(state, command), 'managers'];
const apisPath = (state: State, command: Command): Path => [...organizationPath(state, command), 'apis'];
const managerPath = (state: State, command: Command): Path => [
  ...managersPath(state, command),
  idIn(state.users, command.other),
];

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
  uploadFile: (_state, { text }) => ({
    method: 'POST',
    path: ['files'],
    upload: one(Object.keys(IMAGES) as ImageName[], text),
  }),
  getFile: (state, command) => ({ method: 'GET', path: filePath(state, command) }),
  deleteFile: (state, command) => ({ method: 'DELETE', path: filePath(state, command) }),
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
  uploadFile: 6,
  deleteFile: 4,
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
    file: fc.nat(59),
    keeps: fc.boolean(),
    flag: fc.boolean(),
    logo: fc.oneof(
      { weight: 4, arbitrary: fc.constant('kept' as const) },
      { weight: 4, arbitrary: fc.constant('file' as const) },
      { weight: 1, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constant('left out' as const) },
    ),
    ifMatch: fc.oneof(
      { weight: 6, arbitrary: fc.constant('none' as const) },
      { weight: 2, arbitrary: fc.constant('current' as const) },
      { weight: 1, arbitrary: fc.constant('former' as const) },
    ),
  });
}

const all = Object.keys(makers) as Command['does'][];
const isRead = (name: string): boolean => /^(?:list|get)/.test(name);

const writes = commandOf(all.filter((name) => !isRead(name)));

/** Two or three writes at once, half of the time about the same records. */
const race = fc
  .tuple(fc.array(writes, { minLength: 2, maxLength: 3 }), fc.boolean())
  .map(([commands, isAboutSame]) =>
    isAboutSame ? commands.map((command) => aboutSame(command, commands[0]!)) : commands,
  );

const aboutSame = (command: Command, { target, file }: Command): Command => ({ ...command, target, file });

/** One command, or some writes at once. */
export const step: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 5, arbitrary: commandOf(all).map((command) => [command]) },
  { weight: 1, arbitrary: race },
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
