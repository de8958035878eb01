import { accounts, managers, type List, type Row, type Scene, type Statuses } from '../../support/scene';
import { unique } from '../../support/records';
import { apiBody, feature } from './api-records';

const isPublic = true;
const both = (statuses: Statuses): Row[] => [
  { title: 'public', fields: { isPublic }, statuses },
  { title: 'private', statuses },
];
const contactName = 'The nets team';
/** What both lists find by. */
const found: List = {
  create: async (stage, fields) => {
    return stage.make('apis', { ...fields, successorId: 'tags' in fields ? (await stage.record('apis'))._id : null });
  },
  fields: { tags: ['nets'], lifecycleStatus: 'testing', sunsetAt: '2027-03-31', externalId: 'gateway 17', contactName },
  filters: {
    id: ({ _id }) => _id,
    name: ({ name }) => name,
    tag: ({ tags }) => tags[0],
    lifecycleStatus: ({ lifecycleStatus }) => lifecycleStatus,
    sunsetBefore: () => '2027-04-01',
    sunsetAfter: () => '2027-03-31',
    updatedBefore: ({ updatedAt }) => new Date(Date.parse(updatedAt as string) + 1).toISOString(),
    hasContact: () => true,
    successorId: ({ successorId }) => successorId,
    externalId: ({ externalId }) => externalId,
    slug: ({ slug }) => slug,
  },
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
    'PUT /apis/:id that names a successor': async (stage) =>
      stage.put('apis', { successorId: (await stage.make('apis'))._id }),
    'DELETE /apis/:id of the successor of two others': async (stage) => {
      const { _id: successorId } = await stage.record('apis');
      for (const api of [await stage.make('apis'), await stage.make('apis')])
        await stage.owner.put(`/apis/${api._id}`, { ...api, successorId });
      return () => stage.owner.delete(`/apis/${successorId}`);
    },
    'DELETE /apis/:id that has Consumers': async (stage) => {
      const path = await stage.path('/apis/:id');
      await stage.make('consumers');
      await stage.make('consumers');
      return () => stage.owner.delete(path);
    },
  },
  references: {
    successorId: {
      to: 'apis',
      // To another API: those of races are deleted meanwhile.
      refer: async (stage, { _id }) => {
        const api = await stage.make('apis');
        return () => stage.owner.put(`/apis/${api._id}`, { ...api, successorId: _id });
      },
    },
  },
  lists: {
    'GET /organizations/:id/apis': found,
    'GET /apis': {
      ...found,
      create: async (stage, fields) => {
        const api = await found.create!(stage, fields);
        if ('tags' in fields)
          await stage.owner.post(`/apis/${api._id}/consumers`, { organizationId: api.organizationId });
        return api;
      },
      filters: {
        ...found.filters,
        organizationId: ({ organizationId }) => organizationId,
        managerId: (_, { owner }) => owner.id,
        consumerId: ({ organizationId }) => organizationId,
      },
      unindexed: ['hasContact'],
    },
  },
};
