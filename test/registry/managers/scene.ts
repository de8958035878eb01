import { accounts, managers, type Scene } from '../../support/scene';
import type { Stage } from '../../support/stage';

/** Where the Managers of the Organization are. */
const path = (stage: Stage): Promise<string> => stage.path('/organizations/:id/managers');

export const scene: Scene = {
  stored: 'Organization.managers',
  below: 'organizations',
  body: async (service) => ({ userId: (await service.account()).id }),
  access: {
    'GET /organizations/:id/managers': accounts(200),
    'POST /organizations/:id/managers': managers(201),
    'GET /organizations/:id/managers/:managerId': accounts(200),
    'DELETE /organizations/:id/managers/:managerId': managers(204),
  },
  references: {
    'managers._id': { to: 'users', fields: {}, refer: (stage, { _id }) => stage.post('managers', { userId: _id }) },
  },
  errors: {
    managerExists: async (stage) => stage.owner.post(await path(stage), { userId: stage.owner.id }),
    lastManager: async (stage) => stage.owner.delete(`${await path(stage)}/${stage.owner.id}`),
  },
  lists: { 'GET /organizations/:id/managers': { q: ({ username }) => username } },
};
