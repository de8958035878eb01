import { create, idOf, isAdmin, isStale, isTaken, list, Refused, removeManager, single, SUCCESS } from './call';
import type { Call, Rule, Rules, Success } from './call';
import { apis, organizations } from './organizations';
import type { OperationName } from './requests';
import { change, IMAGES, unversioned, ModelFile, ModelUser, State } from './state';

type UserBody = Pick<ModelUser, 'username' | 'companyName' | 'email'> & { roles?: string[] };

/** `/users` and `/users/:id` (contract §3 User, §4). */
function ofUser(use: (call: Call, id: string, user: ModelUser) => Success | Refused): Rule {
  return (call) => {
    const user = call.state.users.get(idOf(call));
    if (!user) return new Refused('userNotFound');
    if (call.request.actor !== idOf(call) && !isAdmin(call)) return new Refused('forbidden');
    return use(call, idOf(call), user);
  };
}

function takenLogin({ state: { users } }: Call, { username, email }: UserBody, id?: string): Refused | undefined {
  if (isTaken(users, (user) => user.username, username, id)) return new Refused('usernameTaken');
  return isTaken(users, (user) => user.email, email, id) ? new Refused('emailTaken') : undefined;
}

const isLastAdmin = ({ state }: Call, user: ModelUser): boolean =>
  user.roles.includes('admin') && [...state.users.values()].filter(({ roles }) => roles.includes('admin')).length === 1;

/** Requests of the model never have a `currentPassword`, which an Admin's own new name needs. */
function withoutCurrentPassword(): Refused {
  const refused = new Refused('invalidContent');
  refused.titles = ['currentPassword'];
  return refused;
}

const users: Rules = {
  listUsers: (call) => list(call.state.users, (_, id) => isAdmin(call) || id === call.request.actor),
  createUser: (call) => {
    if (!isAdmin(call)) return new Refused('forbidden');
    const { username, companyName, email, roles = [] } = call.request.body as UserBody;
    const user = { username, companyName, email, roles, ...unversioned() };
    return takenLogin(call, user) ?? create(call, call.state.users, user);
  },
  getUser: ofUser((_, id, user) => single(id, user)),
  putUser: ofUser((call, id, user) => {
    const { username, companyName, email, roles = user.roles } = call.request.body as UserBody;
    const changesRoles = roles.join() !== user.roles.join();
    const isRenamed = username !== user.username || email !== user.email;
    if (isRenamed && isAdmin(call) && call.request.actor === id) return withoutCurrentPassword();
    if ((changesRoles || isRenamed) && !isAdmin(call)) return new Refused('forbidden');
    if (isStale(call, user)) return new Refused('preconditionFailed');
    const taken = takenLogin(call, { username, companyName, email }, id);
    // The contract leaves open which of two conflicts is in the response.
    if (changesRoles && isLastAdmin(call, user)) return new Refused('lastAdmin', ...(taken?.errors ?? []));
    if (taken) return taken;
    change(user, { username, companyName, email, roles });
    return single(id, user);
  }),
  deleteUser: ofUser((call, id, user) => {
    const { state } = call;
    if (isStale(call, user)) return new Refused('preconditionFailed');
    if (isLastAdmin(call, user)) return new Refused('lastAdmin');
    const managed = [...state.organizations.values()].filter(({ managerIds }) => managerIds.includes(id));
    if (managed.some(({ managerIds }) => managerIds.length === 1)) return new Refused('lastManager');
    for (const organization of managed) removeManager(organization, id);
    for (const fileId of unattachedOf(state, id)) state.files.delete(fileId);
    state.users.delete(id);
    return SUCCESS;
  }),
};

/** Files that never were a logo that a User has at most when adding another (contract §3 File). */
const MAX_UNATTACHED = 20;

/** The Files of a User that are no logo. They are deleted with the User; logos stay (contract §3 File). */
function unattachedOf({ files: all }: State, userId: string): string[] {
  return [...all].flatMap(([id, file]) => (file.createdBy === userId && file.organizationId === null ? [id] : []));
}

/** `/files/:id` (contract §3 File, §4). */
function ofFile(use: (call: Call, id: string, file: ModelFile) => Success | Refused): Rule {
  return (call) => {
    const file = call.state.files.get(idOf(call));
    return file ? use(call, idOf(call), file) : new Refused('fileNotFound');
  };
}

const isUploader = (call: Call, { createdBy }: ModelFile): boolean => call.request.actor === createdBy || isAdmin(call);

const files: Rules = {
  uploadFile: (call) => {
    const { actor, upload } = call.request;
    const { files } = call.state;
    if (unattachedOf(call.state, actor).filter((id) => !files.get(id)!.wasLogo).length >= MAX_UNATTACHED)
      return new Refused('tooManyFiles');
    const file = { fileName: upload!, createdBy: actor, organizationId: null, wasLogo: false, ...unversioned() };
    return create(call, files, file);
  },
  listFiles: (call) => list(call.state.files, (file) => isUploader(call, file)),
  // The bytes instead of a record (contract §0 c).
  getFile: ofFile((call, _, file) => {
    if (file.organizationId === null && !isUploader(call, file)) return new Refused('forbidden');
    const { contentType, bytes } = IMAGES[file.fileName];
    return { data: { contentType, bytes: bytes.toString('base64') }, record: file };
  }),
  deleteFile: ofFile((call, id, file) => {
    if (!isUploader(call, file)) return new Refused('forbidden');
    if (isStale(call, file)) return new Refused('preconditionFailed');
    if (file.organizationId !== null) return new Refused('fileInUse');
    call.state.files.delete(id);
    return SUCCESS;
  }),
};

const rules = { ...users, ...organizations, ...apis, ...files } as Record<OperationName, Rule>;

/** Lets the model take a request. */
export function apply(call: Call): Success | Refused {
  const { state, request, isRace } = call;
  if (state.users.has(request.actor)) return rules[request.operation](call);
  // Account and record are read side by side: who is deleted in between may be found without their places as a Manager
  // and their Files.
  return new Refused('accountGone', ...(isRace ? (['forbidden', 'fileNotFound'] as const) : []));
}
