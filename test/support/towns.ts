import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { type Connection, SchemaTypes, type Types } from 'mongoose';
import { atMost } from '../../src/platform/records/schema/field-options';
import { collection, StoredRecord } from '../../src/platform/records/schema/record.schema';
import { Database } from '../../src/platform/records/database';
import type { Records } from '../../src/platform/records/records';
import { AllRecords } from '../../src/platform/records/records.module';
import { Transactions } from '../../src/platform/records/transactions/transactions';
import { useConnection } from './connection';

const ID = SchemaTypes.ObjectId;
type Id = Types.ObjectId;

@Schema(collection('towns'))
export class Town extends StoredRecord {
  @Prop({ type: [ID], default: [], ref: 'House', onDelete: 'pull', among: { townId: '$_id' } })
  sightIds!: Id[];
}

@Schema(collection('houses'))
export class House extends StoredRecord {
  @Prop({
    type: ID,
    required: true,
    ref: 'Town',
    onDelete: 'remove',
    limit: atMost('The Town has', 3, 'Houses'),
  })
  townId!: Id;
  @Prop({ type: Boolean, default: false }) isOpen!: boolean;
}

@Schema({ _id: false })
class Guest {
  @Prop({ type: ID, required: true, ref: 'Person', onDelete: 'pull' }) _id!: Id;
}

@Schema(collection('rooms'))
export class Room extends StoredRecord {
  @Prop({ type: ID, required: true, ref: 'House', onDelete: 'remove' }) houseId!: Id;
  @Prop({ type: [SchemaFactory.createForClass(Guest)], default: [], embeds: 'Guest' }) guests!: Guest[];
  @Prop({ type: ID, default: null, ref: 'Person', onDelete: 'clear' }) ownerId!: Id | null;
}

@Schema(collection('persons'))
export class Person extends StoredRecord {
  @Prop({
    type: ID,
    required: true,
    ref: 'House',
    onDelete: 'remove',
    among: { isOpen: true },
    mustBe: 'an open House',
  })
  homeId!: Id;
  @Prop({ type: ID, default: null, ref: 'Person', onDelete: 'clear' }) mentorId!: Id | null;
  @Prop({ type: ID, default: null, ref: 'Room', onDelete: 'keep' }) bornIn!: Id | null;
}

@Schema(collection('leases'))
export class Lease extends StoredRecord {
  @Prop({ type: ID, required: true, ref: 'House', onDelete: 'removeWithEvent' }) houseId!: Id;
}

@Schema(collection('receipts'))
export class Receipt extends StoredRecord {
  @Prop({ type: ID, required: true, ref: 'Lease', onDelete: 'remove' }) leaseId!: Id;
}

const CLASSES = { Town, House, Room, Person, Lease, Receipt };

interface Towns {
  readonly connection: Connection;
  readonly transactions: Transactions;
  readonly towns: Records<Town>;
  readonly houses: Records<House>;
  readonly rooms: Records<Room>;
  readonly persons: Records<Person>;
  readonly leases: Records<Lease>;
  readonly receipts: Records<Receipt>;
  run<T>(work: () => Promise<T>): Promise<T>;
  insert<R extends StoredRecord>(all: Records<R>, own: object, body?: object): Promise<R>;
  count(model: keyof typeof CLASSES): Promise<number>;
}

/** Records with references of every kind, for the tests of references; none before each test. */
export function useTowns(database: string): Towns {
  const connection = useConnection(database, { monitorCommands: true });
  for (const [name, type] of Object.entries(CLASSES))
    connection.model(name, SchemaFactory.createForClass(type as never));
  const known = new Database(connection);
  const all = new AllRecords(known);
  const of = <R extends StoredRecord>(model: string): Records<R> => all.of(model);
  const transactions = new Transactions(known);
  beforeAll(async () => {
    for (const model of Object.values(connection.models)) await model.createCollection();
  });
  beforeEach(async () => {
    for (const model of Object.values(connection.models)) await model.deleteMany();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const name of Object.keys(CLASSES)) of(name).removalRules.splice(0);
  });
  const run = <T>(work: () => Promise<T>): Promise<T> => transactions.run(work);
  return {
    connection,
    transactions,
    towns: of('Town'),
    houses: of('House'),
    rooms: of('Room'),
    persons: of('Person'),
    leases: of('Lease'),
    receipts: of('Receipt'),
    run,
    insert: (all, own, body = {}) => run(() => all.insert(body, own)),
    count: (model) => connection.model(model).countDocuments(),
  };
}
