import { create, idOf, isAdmin, isStale, isTaken, list, Refused, removeManager, single, SUCCESS } from './case';
import type { Case, Rule, Rules, Success } from './case';
import { apis, organizations } from './organizations';
import type { OperationName } from './requests';
import { change, IMAGES, unversioned, ModelFile, ModelUser, State } from './state';

type UserBody = Pick<ModelUser, 'username' | 'companyName' | 'email'> & { roles?: string[] };

/** `/users` and `/users/:id` (contract §3 User, §4). */
function ofUser(use: (judged: Case, id: string, user: ModelUser) => Success | Refused): Rule {
  return (judged) => {
    const user = judged.state.users.get(idOf(judged));
    if (!user) return new Refused('userNotFound');
    if (judged.request.actor !== idOf(judged) && !isAdmin(judged)) return new Refused('forbidden');
    return use(judged, idOf(judged), user);
  };
}

function takenLogin({ state: { users } }: Case, { username, email }: UserBody, id?: string): Refused | undefined {
  if (isTaken(users, (user) => user.username, username, id)) return new Refused('usernameTaken');
  return isTaken(users, (user) => user.email, email, id) ? new Refused('emailTaken') : undefined;
}

const isLastAdmin = ({ state }: Case, user: ModelUser): boolean =>
  user.roles.includes('admin') && [...state.users.values()].filter(({ roles }) => roles.includes('admin')).length === 1;

/** Requests of the model never have a `currentPassword`, which an Admin's own new name needs. */
function withoutCurrentPassword(): Refused {
  const refused = new Refused('invalidContent');
  refused.titles = ['currentPassword'];
  return refused;
}

const users: Rules = {
  listUsers: (judged) => list(judged.state.users, (_, id) => isAdmin(judged) || id === judged.request.actor),
  createUser: (judged) => {
    if (!isAdmin(judged)) return new Refused('forbidden');
    const { username, companyName, email, roles = [] } = judged.request.body as UserBody;
    const user = { username, companyName, email, roles, ...unversioned() };
    return takenLogin(judged, user) ?? create(judged, judged.state.users, user);
  },
  getUser: ofUser((_, id, user) => single(id, user)),
  putUser: ofUser((judged, id, user) => {
    const { username, companyName, email, roles = user.roles } = judged.request.body as UserBody;
    const changesRoles = roles.join() !== user.roles.join();
    const isRenamed = username !== user.username || email !== user.email;
    if (isRenamed && isAdmin(judged) && judged.request.actor === id) return withoutCurrentPassword();
    if ((changesRoles || isRenamed) && !isAdmin(judged)) return new Refused('forbidden');
    if (isStale(judged, user)) return new Refused('preconditionFailed');
    const taken = takenLogin(judged, { username, companyName, email }, id);
    // The contract leaves open which of two conflicts is in the response.
    if (changesRoles && isLastAdmin(judged, user)) return new Refused('lastAdmin', ...(taken?.errors ?? []));
    if (taken) return taken;
    change(user, { username, companyName, email, roles });
    return single(id, user);
  }),
  deleteUser: ofUser((judged, id, user) => {
    const { state } = judged;
    if (isStale(judged, user)) return new Refused('preconditionFailed');
    if (isLastAdmin(judged, user)) return new Refused('lastAdmin');
    const managed = [...state.organizations.values()].filter(({ managerIds }) => managerIds.includes(id));
    if (managed.some(({ managerIds }) => managerIds.length === 1)) return new Refused('lastManager');
    for (const organization of managed) removeManager(organization, id);
    for (const fileId of unattachedOf(state, id)) state.files.delete(fileId);
    state.users.delete(id);
    return SUCCESS;
  }),
};

/** How many Files that are no logo a User has at most when adding another (contract §3 File). */
const MAX_UNATTACHED = 20;

/** The Files of a User that are no logo. They are deleted with the User; logos stay (contract §3 File). */
function unattachedOf({ files: all }: State, userId: string): string[] {
  return [...all].flatMap(([id, file]) => (file.createdBy === userId && file.organizationId === null ? [id] : []));
}

/** `/files/:id` (contract §3 File, §4). */
function ofFile(use: (judged: Case, id: string, file: ModelFile) => Success | Refused): Rule {
  return (judged) => {
    const file = judged.state.files.get(idOf(judged));
    return file ? use(judged, idOf(judged), file) : new Refused('fileNotFound');
  };
}

const isUploader = (judged: Case, { createdBy }: ModelFile): boolean =>
  judged.request.actor === createdBy || isAdmin(judged);

const files: Rules = {
  uploadFile: (judged) => {
    const { actor, upload } = judged.request;
    if (unattachedOf(judged.state, actor).length >= MAX_UNATTACHED) return new Refused('tooManyFiles');
    const file = { fileName: upload!, createdBy: actor, organizationId: null, ...unversioned() };
    return create(judged, judged.state.files, file);
  },
  // The bytes instead of a record (contract §0 c).
  getFile: ofFile((judged, _, file) => {
    if (file.organizationId === null && !isUploader(judged, file)) return new Refused('forbidden');
    const { contentType, bytes } = IMAGES[file.fileName];
    return { data: { contentType, bytes: bytes.toString('base64') }, record: file };
  }),
  deleteFile: ofFile((judged, id, file) => {
    if (!isUploader(judged, file)) return new Refused('forbidden');
    if (isStale(judged, file)) return new Refused('preconditionFailed');
    if (file.organizationId !== null) return new Refused('fileInUse');
    judged.state.files.delete(id);
    return SUCCESS;
  }),
};

const rules = { ...users, ...organizations, ...apis, ...files } as Record<OperationName, Rule>;

/** Lets the model take a request. */
export function apply(judged: Case): Success | Refused {
  const { state, request, isRace } = judged;
  if (state.users.has(request.actor)) return rules[request.operation](judged);
  // Account and record are read side by side: who is deleted in between may be found without their places as a Manager
  // and their Files.
  return new Refused('accountGone', ...(isRace ? (['forbidden', 'fileNotFound'] as const) : []));
}
