import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { context } from '../../platform/records/transactions/context';
import type { RecordChange } from '../../platform/records/transactions/changes';
import { InjectRecords, Records } from '../../platform/records/records';
import { AllRecords } from '../../platform/records/records.module';
import { Transactions } from '../../platform/records/transactions/transactions';
import { Event, EventRecord } from './event.schema';

/** The fields that name a record. */
interface Named {
  readonly _id: Types.ObjectId;
  readonly name?: string;
  readonly username?: string;
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
    const { account, requestId = null } = context();
    const actor = account?.();
    const { _id: actorId = null, username: actorUsername = null, apiKeyId = null } = actor ?? {};
    const by = { actorId, actorUsername, apiKeyId, requestId };
    const events: object[] = [];
    for (const change of changes) {
      events.push({
        ...by,
        _id: idAt(change.at),
        createdAt: change.at,
        type: `${lowerFirst(change.model)}.${change.kind}`,
        resourceId: change.record._id,
        resourceName: await this.nameOf(change, changes, actor),
        organizationId: idOf(change, 'Organization'),
        userId: idOf(change, 'User'),
        changes: change.fields,
      });
    }
    await this.events.insertAll(events);
  }

  /** The name of the record; of a Manager that of the User, who may have been deleted by this write. */
  private async nameOf(
    { record, owner }: RecordChange,
    changes: readonly RecordChange[],
    actor: Named | undefined,
  ): Promise<string | null> {
    if (!owner?.sameAs) return nameIn(record);
    const { sameAs } = owner;
    const written = changes.find((change) => change.model === sameAs && change.record._id.equals(record._id));
    const known = written?.record ?? (actor?._id.equals(record._id) ? actor : undefined);
    const named = known ?? (await this.records.of(sameAs).get(record._id));
    return named ? nameIn(named) : null;
  }
}

/**
 * An id that begins with a time to the millisecond: seconds, milliseconds, a part of the process, its counter. So lists by
 * `_id` are in the order of time, also of Events of several instances.
 */
export function idAt(time: Date): Types.ObjectId {
  const [seconds, ms] = [Math.floor(time.getTime() / 1000), time.getTime() % 1000];
  const unique = new Types.ObjectId().toHexString().slice(-12);
  return new Types.ObjectId(seconds.toString(16).padStart(8, '0') + ms.toString(16).padStart(4, '0') + unique);
}

function nameIn({ name, username }: Named): string | null {
  return name ?? username ?? null;
}

/** The id of the record of this class that the change is about or that it belongs to. */
function idOf({ model, record, owner }: RecordChange, name: string): unknown {
  if (model === name || owner?.sameAs === name) return record._id;
  return owner?.model === name ? owner.record._id : (record[`${lowerFirst(name)}Id`] ?? null);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
