import { Types } from 'mongoose';
import { newRecord } from '../../../../src/platform/records/schema/derived-fields';
import { type Organization, OrganizationSchema } from '../../../../src/registry/organizations/organization.schema';
import { AllRecords } from '../../../../src/platform/records/records.module';
import type { Service } from '../../../support/service';

const RECORDS = 600;

/** Organizations that were stored before the indexes were built. */
export async function insertOrganizations(service: Service): Promise<Types.ObjectId[]> {
  const model = service.model('Organization');
  const createdBy = new Types.ObjectId();
  const all = Array.from({ length: RECORDS }, (_, at) => {
    const slug = { text: `slug-${at}`, base: `slug-${at}`, index: 0 };
    const fields = {
      name: `Fjord ${at}`,
      url: `https://fjord-${at}.example`,
      slug,
      slugs: [slug],
      managers: [],
      createdBy,
    };
    return newRecord<Organization>(OrganizationSchema, fields);
  });
  await model.insertMany(all);
  return all.map(({ _id }) => _id);
}

/** The names of the records that a search of an instance finds; that of the first of them with `Fjord`. */
export async function found(
  service: Service,
  q: string,
  client = service.admin,
  path = '/organizations',
): Promise<string[]> {
  const { body } = await client.get(`${path}?limit=100&q=${encodeURIComponent(q)}`);
  return (body.data as { name?: string; username?: string }[]).map(({ name, username }) => name ?? username ?? '');
}

/** Counts the reads of an instance that look for texts in all records. */
export function countPlainReads({ connection }: Service, model = 'Organization'): { count: number } {
  const reads = { count: 0 };
  const { collection } = connection.model(model);
  connection.getClient().on('commandStarted', ({ command }) => {
    const text = JSON.stringify([command.filter, command.pipeline]);
    // With ids, or the key of one record, the database looks in a few.
    const isOfAll = text.includes('$regex') && !/"\$in"|"externalId"/.test(text);
    if ((command.find ?? command.aggregate) === collection.name && isOfAll) reads.count += 1;
  });
  return reads;
}

/** Builds the search indexes of an instance again. */
export async function rebuild({ app }: Service): Promise<void> {
  const { indexes } = app.get(AllRecords);
  const { rebuildMs } = indexes.limits;
  indexes.limits.rebuildMs = 0;
  await indexes.keep();
  indexes.limits.rebuildMs = rebuildMs;
}
