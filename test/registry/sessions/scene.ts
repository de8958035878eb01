import type { UserDto } from '../../../src/registry/users/user.dto';
import type { Client } from '../../support/client';
import { accounts, admins, another, anyone, own, type Scene } from '../../support/scene';
import type { Service } from '../../support/service';

const logIn = (service: Service, { user, password }: Client): Promise<Client> =>
  service.logIn({ username: user.username, password });

export const scene: Scene = {
  stored: 'User.sessions',
  // Nobody has no User.
  body: (_, { user, password }) => ({ username: (user as UserDto | undefined)?.username, password }),
  access: {
    'POST /sessions': [
      another(anyone(201), {
        request: ({ owner: { user, password } }) => ({ payload: { username: user.username, password } }),
      }),
    ],
    'GET /sessions': accounts(200),
    'GET /sessions/:id': [own(accounts(200)), another(admins(200))],
    'DELETE /sessions/:id': [own(accounts(204)), another(admins(204))],
    'POST /tokens': [
      another(anyone(201), {
        request: async ({ service, owner }) => ({
          payload: { refreshToken: (await logIn(service, owner)).refreshToken },
        }),
      }),
    ],
  },
  errors: {
    wrongLogin: ({ service: { nobody } }) => nobody.post('/sessions', { username: 'admin', password: 'wrong' }),
    refreshTokenUnusable: ({ service: { nobody } }) => nobody.post('/tokens', { refreshToken: 'x' }),
  },
  limits: [{ max: 50 }],
  lists: { 'GET /sessions': { create: async ({ service }) => ({ ...(await logIn(service, service.admin)).session }) } },
};
