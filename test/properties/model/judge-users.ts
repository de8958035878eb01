import { removeFilesOf } from './judge-files';
import type { ModelUser } from './state';
import { touch } from './state';
import { Case, change, failure, isAdmin, isStale, isTaken, newId, success, Verdict } from './verdict';

type Body = Pick<ModelUser, 'username' | 'companyName' | 'email'> & { roles?: string[] };

const shown = (_id: string, { username, companyName, email, roles }: ModelUser): object => ({
  _id,
  username,
  companyName,
  email,
  roles,
});

/** `/users` and `/users/:id` (contract §3 User, §4). */
export function judgeUsers(judged: Case): Verdict {
  const { method, path } = judged.request;
  const id = path[1];
  if (id === undefined) return method === 'GET' ? list(judged) : create(judged);
  const user = judged.state.users.get(id);
  if (!user) return failure('userNotFound');
  if (judged.request.actor !== id && !isAdmin(judged)) return failure('forbidden');
  if (method === 'GET') return success(shown(id, user), user);
  return method === 'PUT' ? update(judged, id, user) : remove(judged, id, user);
}

function list(judged: Case): Verdict {
  const visible = [...judged.state.users].filter(([id]) => isAdmin(judged) || id === judged.request.actor);
  return success(visible.sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, user]) => shown(id, user)));
}

function taken({ state: { users } }: Case, body: Body, id?: string): Verdict | undefined {
  if (isTaken(users, ({ username }) => username, body.username, id)) return failure('usernameTaken');
  return isTaken(users, ({ email }) => email, body.email, id) ? failure('emailTaken') : undefined;
}

function create(judged: Case): Verdict {
  if (!isAdmin(judged)) return failure('forbidden');
  const { username, companyName, email, roles = [] } = judged.request.body as Body;
  const conflict = taken(judged, { username, companyName, email });
  if (conflict) return conflict;
  const user: ModelUser = { username, companyName, email, roles, etag: undefined, formerEtags: [] };
  judged.state.users.set(newId(judged), user);
  return success(shown(newId(judged), user), user);
}

const hasOneAdmin = ({ state }: Case): boolean =>
  [...state.users.values()].filter(({ roles }) => roles.includes('admin')).length === 1;

function update(judged: Case, id: string, user: ModelUser): Verdict {
  const { username, companyName, email, roles = user.roles } = judged.request.body as Body;
  const changesRoles = roles.join() !== user.roles.join();
  if (changesRoles && !isAdmin(judged)) return failure('forbidden');
  if (isStale(judged, user)) return failure('preconditionFailed');
  const conflict = taken(judged, { username, companyName, email }, id);
  const loses = changesRoles && user.roles.includes('admin') && hasOneAdmin(judged);
  // Which of two conflicts answers, the contract leaves open.
  if (loses) return failure('lastAdmin', ...(conflict?.failures ?? []));
  if (conflict) return conflict;
  change(user, { username, companyName, email, roles });
  return success(shown(id, user), user);
}

function remove(judged: Case, id: string, user: ModelUser): Verdict {
  if (isStale(judged, user)) return failure('preconditionFailed');
  if (user.roles.includes('admin') && hasOneAdmin(judged)) return failure('lastAdmin');
  const managed = [...judged.state.organizations.values()].filter(({ managerIds }) => managerIds.includes(id));
  if (managed.some(({ managerIds }) => managerIds.length === 1)) return failure('lastManager');
  for (const organization of managed) {
    organization.managerIds = organization.managerIds.filter((managerId) => managerId !== id);
    touch(organization);
  }
  removeFilesOf(judged.state, id);
  judged.state.users.delete(id);
  return success();
}
