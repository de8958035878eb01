import { accounts, admins, another, own, type Scene } from '../../support/scene';

export const scene: Scene = {
  stored: 'User.apiKeys',
  below: 'users',
  body: (_, { password }) => ({ name: 'Import', scope: 'write', currentPassword: password }),
  access: {
    'GET /users/:id/api-keys': [own(accounts(200)), another(admins(200))],
    'POST /users/:id/api-keys': [own(accounts(201)), another(admins(201))],
    'GET /users/:id/api-keys/:keyId': [own(accounts(200)), another(admins(200))],
    'DELETE /users/:id/api-keys/:keyId': [own(accounts(204)), another(admins(204))],
  },
  lists: { 'GET /users/:id/api-keys': {} },
};
