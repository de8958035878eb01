import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model } from 'mongoose';
import type { Change } from '../auth/change';
import { rekey } from '../database/rekey';
import type { Slugged } from '../slugs/slug-allocation';
import { Transactions } from '../database/transactions';
import { uniqueKey } from '../validation/case-fold';
import { ApiInput, Described, SHOWN_API, ApiRecord } from './api.dto';
import { Api } from './api.schema';
import { FeaturedPlaces } from './featured-places';
import { describedFields, writeNamed } from './named-api';

/** What a PUT sets. */
type Replacement = ReturnType<typeof describedFields> & Slugged & Pick<Api, 'updatedAt'>;

/** PUT /apis/:id. */
@Injectable()
export class ApiUpdateService {
  constructor(
    @InjectModel(Api.name) private readonly apis: Model<Api>,
    private readonly places: FeaturedPlaces,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Replaces an Api (contract §2: faults, 412, nothing to do, conflicts).
   *
   * @throws Failure preconditionFailed, apiNameTaken, concurrentChange
   */
  update(api: Change<ApiRecord>, body: ApiInput): Promise<ApiRecord> {
    return api.write(async (record) => {
      api.requireMatch();
      if (isSame(record, body)) return record;
      const own = await this.apis.findOne({ _id: record._id }, { slug: 1, slugs: 1 }).lean();
      if (!own) return undefined;
      const { _id, organizationId } = record;
      return writeNamed(this.apis, { _id, organizationId, name: body.name }, own, (slugs) =>
        this.write(record, { ...describedFields(body), ...slugs, updatedAt: new Date() }),
      );
    });
  }

  /** A PUT that keeps the name and turns nothing private is one update; any other is a transaction. */
  private write(record: ApiRecord, replacement: Replacement): Promise<ApiRecord | undefined> {
    const judged = { _id: record._id, revision: record.revision };
    const options = { projection: SHOWN_API, returnDocument: 'after' } as const;
    const update = async (): Promise<ApiRecord | undefined> =>
      (await this.apis.findOneAndUpdate(judged, { $set: replacement, $inc: { revision: 1 } }, options).lean()) ??
      undefined;
    const { nameKey, slug, slugs, updatedAt } = replacement;
    const isRenamed = uniqueKey(record.name) !== nameKey;
    const isTurnedPrivate = record.isPublic && !replacement.isPublic;
    if (!isRenamed && !isTurnedPrivate) return update();
    return this.transactions.attempt(async () => {
      if (isRenamed && !(await rekey(this.apis, judged, { nameKey, slug, slugs }))) return undefined;
      if (isTurnedPrivate) await this.places.leave(record, updatedAt);
      return update();
    });
  }
}

function isSame(record: ApiRecord, body: Described): boolean {
  return (
    record.name === body.name &&
    record.url === body.url &&
    record.description === body.description &&
    record.lifecycleStatus === body.lifecycleStatus &&
    record.isPublic === body.isPublic &&
    record.documentationUrl === body.documentationUrl
  );
}
