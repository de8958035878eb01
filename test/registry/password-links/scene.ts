import { created, newUserBody } from '../../support/records';
import { admins, type Scene } from '../../support/scene';

export const scene: Scene = {
  stored: 'Link',
  below: 'users',
  body: () => ({}),
  access: { 'POST /users/:id/password-links': admins(201) },
  errors: {
    noPasswordLink: async ({ admin }) => {
      const { _id } = created(await admin.post('/users', newUserBody({ isSuspended: true })));
      const response = await admin.post(`/users/${_id}/password-links`);
      return [response, 'The User is suspended.'];
    },
  },
};
