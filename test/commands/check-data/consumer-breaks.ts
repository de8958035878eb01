import type { Service } from '../../support/service';
import type { Break } from './breaks';
import { GONE, GONE_ID } from './gone';

/** Makes an Organization a Consumer of an API. @returns its own id, which responses do not show */
export async function use(
  service: Service,
  { _id: apiId }: { _id: string },
  { _id }: { _id: string },
): Promise<{ _id: string }> {
  await service.admin.post(`/apis/${apiId}/consumers`, { organizationId: _id });
  return { _id: String((await service.model('Consumer').findOne({ apiId }).lean())!._id) };
}

export const CONSUMER_BREAKS: readonly Break[] = [
  {
    what: 'a Consumer of an API that is gone',
    break: ({ consumers }, { consumer }) => consumers.updateOne({ _id: consumer }, { $set: { apiId: GONE_ID } }),
    lines: ({ consumer }) => [`Consumer ${consumer}: apiId: no Api has the id ${GONE}`],
  },
  {
    what: 'a Consumer whose Organization is gone',
    break: ({ consumers }, { consumer }) => consumers.updateOne({ _id: consumer }, { $set: { consumerId: GONE_ID } }),
    lines: ({ consumer }) => [`Consumer ${consumer}: consumerId: no Organization has the id ${GONE}`],
  },
  {
    what: 'a Consumer that does not belong to the Organization of its API',
    break: ({ consumers }, { consumer, other }) =>
      consumers.updateOne({ _id: consumer }, { $set: { organizationId: other } }),
    lines: ({ consumer, nets, shown }) => [
      `Consumer ${consumer}: apiId: the organizationId of the Api ${shown} is ${nets}`,
    ],
  },
];
