import { copy } from '../../support/copies';
import { accounts, managers, type List, type Row, type Scene, type Statuses } from '../../support/scene';
import { unique } from '../../support/records';
import { apiBody, feature } from './api-records';

const isPublic = true;
const both = (statuses: Statuses): Row[] => [
  { title: 'public', fields: { isPublic }, statuses },
  { title: 'private', statuses },
];
/** What both lists find by. */
const found: List = {
  fields: { tags: ['nets'], lifecycleStatus: 'testing' },
  filters: { name: ({ name }) => name, tag: ({ tags }) => tags[0] },
};

export const scene: Scene = {
  stored: 'Api',
  below: 'organizations',
  body: () => apiBody(),
  changes: () => [{ name: `Api ${unique()}` }, { url: `https://${unique()}.example` }],
  access: {
    'GET /organizations/:id/apis': accounts(200),
    'POST /organizations/:id/apis': managers(201),
    'GET /apis': accounts(200),
    'GET /apis/:id': [
      { title: 'public', fields: { isPublic }, statuses: accounts(200) },
      { title: 'private', statuses: managers(200) },
    ],
    'PUT /apis/:id': both(managers(200)),
    'DELETE /apis/:id': both(managers(204)),
  },
  writes: {
    'PUT /apis/:id that turns private': async (stage) => {
      const api = await stage.record('apis', { isPublic });
      await feature(stage.owner, (await stage.record('organizations')) as never, api);
      return stage.put('apis', { isPublic: false });
    },
    'DELETE /apis/:id of a featured API': async (stage) => {
      const api = await stage.record('apis', { isPublic });
      await feature(stage.owner, (await stage.record('organizations')) as never, api);
      return () => stage.owner.delete(`/apis/${api._id}`);
    },
  },
  limits: [
    {
      most: 1000,
      section: 'Organization',
      fill: (stage, count) => copy(stage, 'apis', count),
      error: 'tooMany',
      message: 'The Organization has reached its limit of 1,000 APIs.',
    },
  ],
  lists: {
    'GET /organizations/:id/apis': found,
    'GET /apis': {
      ...found,
      filters: {
        ...found.filters,
        organizationId: ({ organizationId }) => organizationId,
        lifecycleStatus: ({ lifecycleStatus }) => lifecycleStatus,
        slug: ({ slug }) => slug,
      },
    },
  },
};
