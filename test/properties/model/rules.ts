import { create, idOf, isAdmin, isStale, isTaken, list, Refused, removeManager, single, SUCCESS } from './call';
import type { Call, Rule, Rules, Success } from './call';
import { apis, organizations } from './organizations';
import type { OperationName } from './requests';
import { change, ModelUser, shown, unversioned } from './state';

type Shown = ReturnType<typeof shown>;

const isSeenWhole = (call: Call, id: string): boolean => call.request.actor === id || isAdmin(call);

/** Of others, callers who are no Admins see their names only. */
function seenBy(call: Call, user: Shown): object {
  const hidden = { email: undefined, roles: undefined };
  return isSeenWhole(call, user._id) ? user : { ...user, ...hidden };
}

type UserBody = Pick<ModelUser, 'username' | 'companyName' | 'email'> & { roles?: string[] };

/** `/users` and `/users/:id` (contract §3 User, §4). */
function ofUser(use: (call: Call, id: string, user: ModelUser) => Success | Refused): Rule {
  return (call) => {
    const user = call.state.users.get(idOf(call));
    if (!user) return new Refused('userNotFound');
    if (!isSeenWhole(call, idOf(call))) return new Refused('forbidden');
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
  listUsers: (call) => {
    const { data } = list(call.state.users, () => true);
    return { data: (data as Shown[]).map((user) => seenBy(call, user)) };
  },
  createUser: (call) => {
    if (!isAdmin(call)) return new Refused('forbidden');
    const { username, companyName, email, roles = [] } = call.request.body as UserBody;
    const user = { username, companyName, email, roles, ...unversioned() };
    return takenLogin(call, user) ?? create(call, call.state.users, user);
  },
  getUser: (call) => {
    const user = call.state.users.get(idOf(call));
    if (!user) return new Refused('userNotFound');
    return isSeenWhole(call, idOf(call)) ? single(idOf(call), user) : { data: seenBy(call, shown(idOf(call), user)) };
  },
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
    state.users.delete(id);
    return SUCCESS;
  }),
};

const rules = { ...users, ...organizations, ...apis } as Record<OperationName, Rule>;

/** Lets the model take a request. */
export function apply(call: Call): Success | Refused {
  const { state, request, isRace } = call;
  if (state.users.has(request.actor)) return rules[request.operation](call);
  // Account and record are read side by side: who is deleted in between may be found without their places as a Manager.
  return new Refused('accountGone', ...(isRace ? (['forbidden'] as const) : []));
}
