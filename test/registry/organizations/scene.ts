import { organizationBody, unique } from '../../support/records';
import { accounts, admins, managers, type Scene, type Shown } from '../../support/scene';
import type { Stage } from '../../support/stage';

/** An Organization with a featured API and a logo. */
async function whole(stage: Stage): Promise<Stage> {
  const [api, file] = [await stage.record('apis', { isPublic: true }), await stage.record('files')];
  await (
    await stage.put('organizations', { featuredApiIds: [api._id], organizationLogoFileId: file._id })
  )();
  return stage;
}

/** An Organization with an externalId, which only an Admin sets. */
async function withExternalId(stage: Stage, fields: object): Promise<Shown> {
  const record = await stage.make('organizations', fields);
  const body = { ...record, externalId: `crm ${unique()}` };
  return (await stage.admin.put(`/organizations/${record._id}`, body)).body.data as Shown;
}

export const scene: Scene = {
  stored: 'Organization',
  body: () => organizationBody(),
  changes: () => [{ name: `Organization ${unique()}` }, { url: `https://${unique()}.example` }],
  access: {
    'GET /organizations': accounts(200),
    'POST /organizations': accounts(201),
    'GET /organizations/:id': accounts(200),
    'PUT /organizations/:id': managers(200),
    'DELETE /organizations/:id': managers(204),
  },
  settings: { 'ORGANIZATION_CREATION=admin': { 'POST /organizations': admins(201) } },
  writes: {
    'POST /organizations with a logo': async (stage) =>
      stage.post('organizations', { organizationLogoFileId: (await stage.record('files'))._id }),
    'PUT /organizations/:id that changes the name': async (stage) =>
      (await whole(stage)).put('organizations', { name: `Organization ${unique()}` }),
    'PUT /organizations/:id that adds references': async (stage) => {
      const [other, logo] = [await stage.make('apis', { isPublic: true }), await stage.make('files')];
      return (await whole(stage)).put('organizations', {
        featuredApiIds: [other._id],
        organizationLogoFileId: logo._id,
      });
    },
    'DELETE /organizations/:id with a logo and Consumers': async (stage) => {
      const path = await (await whole(stage)).path('/organizations/:id');
      await stage.make('consumers');
      await (
        await stage.post('consumers', { organizationId: (await stage.record('organizations'))._id })
      )();
      return () => stage.owner.delete(path);
    },
  },
  references: {
    featuredApiIds: {
      to: 'apis',
      fields: { isPublic: true },
      refer: (stage, { _id }) => stage.put('organizations', { featuredApiIds: [_id] }),
    },
    organizationLogoFileId: {
      to: 'files',
      refer: (stage, { _id }) => stage.put('organizations', { organizationLogoFileId: _id }),
      refuses: 'fileInUse',
    },
  },
  limits: [{ max: 100, error: 'tooMany', message: 'You have reached your limit of 100 Organizations.' }],
  lists: {
    'GET /organizations': {
      create: withExternalId,
      filters: {
        id: ({ _id }) => _id,
        name: ({ name }) => name,
        slug: ({ slug }) => slug,
        externalId: ({ externalId }) => externalId,
        managerId: ({ managerIds }) => managerIds[0],
      },
    },
  },
};
