import { Choice, idIn, fileIdIn, one } from './choice';
import type { ModelOrganization, State } from './state';

type Body = Record<string, unknown>;

/** Few names, so that they collide: in case, in composition, in their slugs. */
const NAMES = ['Foo', 'foo!', 'FOO', 'Foo 1', 'B\u00e4r', 'BÄR', 'ünï', '!!', 'Straße', 'STRASSE'];
const LOGINS = ['ada', 'ADA', 'bob', 'cid', 'Cid', 'dan'];
const TEXTS = ['', 'We make nets.', 'We mend nets.'];

/** A body of POST or PUT. */
export function userBody(state: State, { target, text, keeps, flag, other }: Choice, isNew: boolean): Body {
  const present = isNew ? undefined : state.users.get(idIn(state.users, target));
  const [username, email] = [one(LOGINS, text), `${one(LOGINS, other)}@roster.example`];
  const names = keeps && present ? { username: present.username, email: present.email } : { username, email };
  const roles = flag && (keeps || isNew) ? { roles: other % 2 === 0 ? ['admin'] : [] } : {};
  const password = isNew ? { password: 'a password of the model' } : {};
  return { ...names, companyName: one(NAMES, other), ...roles, ...password };
}

/** A body of POST or PUT. */
export function organizationBody(state: State, choice: Choice, isNew: boolean): Body {
  const { target, other, text, keeps, flag } = choice;
  const present = isNew ? undefined : state.organizations.get(idIn(state.organizations, target));
  const id = idIn(state.organizations, target);
  // Those that may be featured, one time in four others too.
  const own = [...state.apis].filter(
    ([, { organizationId, isPublic }]) => organizationId === id && (isPublic || other % 4 === 0),
  );
  const wanted = own.slice(0, 1 + (other % 3)).map(([apiId]) => apiId);
  const featuredApiIds = flag && !isNew ? wanted : (present?.featuredApiIds ?? []);
  const name = keeps && present ? present.name : one(NAMES, text);
  const described = { name, url: 'https://nets.example', description: one(TEXTS, other) };
  return { ...described, featuredApiIds, ...logoFields(state, choice, present) };
}

function logoFields(state: State, { logo, file }: Choice, present?: ModelOrganization): Body {
  if (logo === 'left out') return {};
  const kept = present?.organizationLogoFileId ?? null;
  return { organizationLogoFileId: { kept, file: fileIdIn(state, file), none: null }[logo] };
}

/** A body of POST or PUT. */
export function apiBody(state: State, { target, other, text, keeps, flag }: Choice, isNew: boolean): Body {
  const present = isNew ? undefined : state.apis.get(idIn(state.apis, target));
  const name = keeps && present ? present.name : one(NAMES, text);
  return { name, url: 'https://nets.example', description: one(TEXTS, other), isPublic: flag };
}
