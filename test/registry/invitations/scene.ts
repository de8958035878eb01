import { newUserBody, unique } from '../../support/records';
import { admins, managers, type Scene } from '../../support/scene';

const body = (): { email: string } => ({ email: `${unique()}@roster.example` });

export const scene: Scene = {
  stored: 'Link',
  below: 'organizations',
  notFound: 'linkNotFound',
  by: ({ admin }) => admin,
  body,
  access: {
    'GET /organizations/:id/invitations': admins(200),
    'POST /organizations/:id/invitations': admins(201),
    'DELETE /organizations/:id/invitations/:invitationId': admins(204),
  },
  settings: {
    'INVITATIONS=managers': {
      'GET /organizations/:id/invitations': managers(200),
      'POST /organizations/:id/invitations': managers(201),
      'DELETE /organizations/:id/invitations/:invitationId': managers(204),
    },
  },
  references: {
    createdBy: {
      to: 'users',
      fields: { roles: ['admin'] },
      refer: async (stage, { username }) => {
        const admin = await stage.service.logIn({ username, password: newUserBody().password });
        const path = await stage.path('/organizations/:id/invitations');
        return () => admin.post(path, body());
      },
    },
  },
  lists: { 'GET /organizations/:id/invitations': { isSmall: true } },
};
