import { admins, type List, managers, type Scene, type Shown } from '../../support/scene';
import { unique } from '../../support/records';
import type { Stage } from '../../support/stage';

/** An Event of a change of the stage's Organization, each of the two by one of two accounts. */
async function create(stage: Stage): Promise<Shown> {
  const { admin, owner } = stage;
  const path = `${await stage.path('/organizations/:id')}/events?limit=1`;
  const [last] = (await admin.get(path)).body.data as Shown[];
  const by = last?.actorId === admin.id ? owner : admin;
  await (
    await stage.put('organizations', { url: `https://${unique()}.example` }, by)
  )();
  return (await admin.get(path)).body.data[0] as Shown;
}

const filters: List['filters'] = {
  actorId: ({ actorId }) => actorId,
  since: ({ createdAt }) => createdAt,
  until: ({ createdAt }) => createdAt,
  resourceId: ({ resourceId }) => resourceId,
};

export const scene: Scene = {
  stored: 'Event',
  access: { 'GET /events': admins(200), 'GET /organizations/:id/events': managers(200) },
  lists: {
    'GET /events': {
      create,
      filters: {
        ...filters,
        organizationId: (record) => record.organizationId,
      },
      within: async (stage) => `organizationId=${(await stage.record('organizations'))._id}`,
    },
    'GET /organizations/:id/events': { create, filters },
  },
};
