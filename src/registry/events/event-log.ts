import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { context, currentActor, outsideTransaction } from '../../platform/records/transactions/context';
import { nameFieldOf, nameIn, type RecordChange } from '../../platform/records/transactions/changes';
import { InjectRecords, Records } from '../../platform/records/records';
import { AllRecords } from '../../platform/records/records.module';
import { Transactions } from '../../platform/records/transactions/transactions';
import { Event, EventRecord } from './event.schema';

/** Records of one command: it has three seconds, and the embedded database takes far longer for many ids. */
const BATCH = 500;

/** The last time that an id can begin with: it has 32 bits for the seconds since 1970. */
const LAST_TIME = 0xffffffff * 1000 + 999;

const [USER, API, CONSUMER] = ['User', 'Api', 'Consumer'];

/** The fields of an API whose changes its Consumers are told about. */
const TOLD = ['isPublic', 'lifecycleStatus', 'sunsetAt', 'successorId'];

/** What Events need of other records. */
interface Named {
  readonly _id: Types.ObjectId;
  readonly name: string | null;
  readonly isPublic?: boolean;
}

/** Stores what a write has changed as Events, in its transaction (contract §3 Event, docs/adr/0023). */
@Injectable()
export class EventLog {
  constructor(
    @InjectRecords(Event.name) private readonly events: Records<EventRecord>,
    private readonly records: AllRecords,
    transactions: Transactions,
  ) {
    // Not in onModuleInit, which is not called in the commands: they leave Events, too.
    transactions.beforeCommit = (changes) => this.store(changes);
  }

  private async store(changes: readonly RecordChange[]): Promise<void> {
    const { requestId = null } = context();
    const actor = currentActor();
    const { _id: actorId = null, username: actorUsername = null, apiKeyId = null } = actor ?? {};
    const by = { actorId, actorUsername, apiKeyId, requestId };
    const others = changes.flatMap(({ sameAs, id, owners: { [API]: apiId } }) => [
      ...(sameAs === undefined ? [] : [{ model: sameAs, id }]),
      ...(apiId ? [{ model: API, id: apiId }] : []),
    ]);
    const known = new Map<string, Named>();
    for (const { model, record, name } of changes) known.set(keyOf(model, record._id), { ...record, name });
    if (actor) known.set(keyOf(USER, actorId), { ...actor, name: actorUsername });
    const named = await this.namedBy(others, known);
    const events: object[] = [];
    for (const change of changes) {
      const { id, sameAs } = change;
      const apiId = change.owners[API] ?? null;
      const organizationId = idOf(change, 'Organization');
      const told = await this.consumersToldOf(change, changes, named);
      events.push({
        ...by,
        _id: idAt(change.at),
        createdAt: change.at,
        type: `${change.model.charAt(0).toLowerCase()}${change.model.slice(1)}.${change.kind}`,
        resourceId: id,
        resourceName: (sameAs === undefined ? change : named.get(keyOf(sameAs, id)))?.name ?? null,
        organizationId,
        userId: idOf(change, 'User'),
        apiId,
        apiName: named.get(keyOf(API, apiId))?.name ?? null,
        readerIds: organizationId ? [organizationId, ...told.filter((one) => !one.equals(organizationId))] : told,
        changes: change.fields,
      });
    }
    for (const some of inBatches(events)) await this.events.insertAll(some);
  }

  /**
   * The other records that Events name, by Model and id. Those that this write deletes, by what they belong to, are
   * still there outside of its transaction.
   */
  private async namedBy(others: readonly Pick<RecordChange, 'model' | 'id'>[], known: ReadonlyMap<string, Named>) {
    const named = new Map(known);
    const unknown = new Map(others.map((other) => [keyOf(other.model, other.id), other]));
    for (const key of known.keys()) unknown.delete(key);
    for (const [model, all] of Object.entries(Object.groupBy(unknown.values(), (other) => other.model))) {
      const records = this.records.of(model);
      const { schema } = records;
      for (const some of inBatches(all!)) {
        const _id = { $in: some.map(({ id }) => id) };
        const find = () => records.find<Named>({ _id }, { only: [nameFieldOf(schema), 'isPublic'] });
        for (const record of await outsideTransaction(find))
          named.set(keyOf(model, record._id), { ...record, name: nameIn(schema, record) });
      }
    }
    return named;
  }

  /** The Consumers that see a change, too: of themselves, or of an API that they use and that is, or was until now, public. */
  private async consumersToldOf(
    { kind, model, record, id, owners, fields }: RecordChange,
    changes: readonly RecordChange[],
    named: ReadonlyMap<string, Named>,
  ): Promise<readonly Types.ObjectId[]> {
    if (model === CONSUMER) return named.get(keyOf(API, owners[API]))?.isPublic ? [id] : [];
    const isTurned = fields.some(({ field }) => field === 'isPublic');
    if (model !== API || !(record.isPublic || isTurned)) return [];
    const isOfThis = (change: RecordChange): boolean => change.model === CONSUMER && id.equals(change.owners[API]);
    if (kind === 'deleted') return changes.filter(isOfThis).map((change) => change.id);
    if (!fields.some(({ field }) => TOLD.includes(field))) return [];
    const consumers = this.records.of(CONSUMER);
    const found = await consumers.find<{ consumerId: Types.ObjectId }>({ apiId: id }, { only: ['consumerId'] });
    return found.map(({ consumerId }) => consumerId);
  }
}

function* inBatches<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}

const keyOf = (model: string, id: unknown): string => `${model} ${String(id)}`;

/**
 * An id that begins with a time to the millisecond: seconds, milliseconds, a part of the process, its counter. So lists by
 * `_id` are in the order of time, also of Events of several instances.
 * @param rest its last 12 digits; unique ones unless given
 */
export function idAt(time: Date, rest = new Types.ObjectId().toHexString().slice(-12)): Types.ObjectId {
  const at = Math.min(Math.max(time.getTime(), 0), LAST_TIME);
  const [seconds, ms] = [Math.floor(at / 1000), at % 1000];
  return new Types.ObjectId(seconds.toString(16).padStart(8, '0') + ms.toString(16).padStart(4, '0') + rest);
}

/** The id of the record of this class that the change is about or that it belongs to. */
function idOf({ model, id, sameAs, owners }: RecordChange, name: string): Types.ObjectId | null {
  return owners[name] ?? (model === name || sameAs === name ? id : null);
}
