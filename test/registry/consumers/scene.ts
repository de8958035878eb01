import { createOrganization, unique } from '../../support/records';
import { accounts, admins, managers, type Row, type Scene, type Statuses } from '../../support/scene';

const isPublic = true;
const both = (toAll: Statuses, toPrivate: Statuses): Row[] => [
  { title: 'of a public API', parent: { isPublic }, statuses: toAll },
  { title: 'of a private API', statuses: toPrivate },
];

/** A Consumer that belongs to somebody else than the API. */
const ofAnother: Row['request'] = async (stage) => {
  const consumer = await createOrganization(await stage.service.account());
  const path = await stage.path('/apis/:id/consumers');
  await stage.admin.post(path, { organizationId: consumer._id });
  return { path: `${path}/${consumer._id}`, payload: { note: unique() } };
};

export const scene: Scene = {
  stored: 'Consumer',
  below: 'apis',
  body: async (service, caller) => {
    const { _id } = await createOrganization(caller.id ? caller : service.admin);
    return { organizationId: _id, note: `Prices ${unique()}` };
  },
  changes: () => [{ note: `Prices ${unique()}` }, { note: `Orders ${unique()}` }],
  again: ({ _id }) => ({ organizationId: _id }),
  access: {
    'GET /apis/:id/consumers': both(accounts(200), managers(200)),
    'POST /apis/:id/consumers': [
      ...both(accounts(201), managers(201)),
      { title: 'of a closed API', parent: { isPublic, acceptsConsumers: false }, statuses: managers(201) },
      {
        title: 'for an Organization of somebody else',
        parent: { isPublic },
        statuses: managers(201),
        request: async ({ service }) => ({
          payload: { organizationId: (await createOrganization(await service.account()))._id },
        }),
      },
    ],
    'GET /apis/:id/consumers/:consumerId': both(accounts(200), managers(200)),
    'PUT /apis/:id/consumers/:consumerId': [
      ...both(managers(200), managers(200)),
      { title: 'of somebody else', parent: { isPublic }, statuses: admins(200), request: ofAnother },
    ],
    'DELETE /apis/:id/consumers/:consumerId': [
      ...both(managers(204), managers(204)),
      { title: 'of somebody else', parent: { isPublic }, statuses: managers(204), request: ofAnother },
    ],
  },
  references: {
    organizationId: { to: 'organizations', refer: (stage) => stage.post('consumers') },
    consumerId: {
      to: 'organizations',
      fields: {},
      refer: (stage, { _id }) => stage.post('consumers', { organizationId: _id }),
    },
  },
  lists: { 'GET /apis/:id/consumers': { isSmall: true } },
};
