import { created, newUserBody, unique } from '../../support/records';
import { accounts, admins, another, anyone, own, type Scene } from '../../support/scene';
import type { Stage } from '../../support/stage';
import { withKey } from '../api-keys/keys';
import { uploaded } from '../files/uploads';

/** A PUT of another User by an Admin. */
const putBy = (changes: object, fields?: object) => async (stage: Stage) => {
  const user = fields ? await stage.service.account(fields) : stage.owner;
  return () => stage.admin.put(`/users/${user.id}`, user.userBody(changes));
};

export const scene: Scene = {
  stored: 'User',
  body: () => newUserBody(),
  create: async ({ owner, admin }, fields) =>
    fields ? created(await admin.post('/users', newUserBody(fields))) : { ...owner.user },
  changes: () => [{ username: `user-${unique()}` }, { companyName: `Company ${unique()}` }],
  access: {
    'GET /users': accounts(200),
    'POST /users': admins(201),
    'GET /users/:id': [own(accounts(200)), another(accounts(200))],
    'PUT /users/:id': [own(accounts(200)), another(admins(200))],
    'DELETE /users/:id': [another(admins(204))],
  },
  settings: {
    'REGISTRATION=open': { 'POST /users': anyone(201) },
    'USER_DIRECTORY=admins': { 'GET /users/:id': [own(accounts(200)), another(admins(200))] },
  },
  writes: {
    'POST /users of an Admin': ({ admin }) => {
      const body = newUserBody({ roles: ['admin'] });
      return () => admin.post('/users', body);
    },
    'PUT /users/:id that gives the role of Admin': putBy({ roles: ['admin'] }),
    'PUT /users/:id that suspends an Admin': putBy({ isSuspended: true }, { roles: ['admin'] }),
    'PUT /users/:id that changes the username': (stage) => putBy({ username: `user-${unique()}` })(stage),
    'PUT /users/:id that changes the password': ({ owner }) => {
      const body = owner.userBody({ password: 'another long passphrase', currentPassword: owner.password });
      return () => owner.put(`/users/${owner.id}`, body);
    },
    'DELETE /users/:id of a Manager with a File and an API key': async ({ owner, admin }) => {
      const { _id } = created(await admin.post('/organizations', { name: unique(), url: 'https://n.example' }));
      await admin.post(`/organizations/${_id}/managers`, { userId: owner.id });
      await uploaded(owner);
      await withKey(owner);
      return () => owner.delete(`/users/${owner.id}`);
    },
  },
  errors: { lastAdmin: ({ admin }) => admin.delete(`/users/${admin.id}`) },
  lists: {
    'GET /users': {
      create: (stage, fields) => stage.make('users', fields),
      fields: { isSuspended: true, roles: ['admin'] },
      filters: {
        id: ({ _id }) => _id,
        username: ({ username }) => username,
        email: ({ email }) => email,
        role: ({ roles }) => roles[0],
        isSuspended: ({ isSuspended }) => isSuspended,
      },
      q: ({ username }) => username,
    },
  },
};
