import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Mongoose, SchemaTypes, Types } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import { Changes } from './changes';
import { collection, StoredRecord } from '../schema/record.schema';

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String }) name!: string;
  @Prop({ type: String, select: false, requestField: 'secret' }) hash!: string;
}

@Schema(collection('members'))
class Member extends StoredRecord {
  @Prop({ type: SchemaTypes.ObjectId, shownAsId: true, ref: 'Person', onDelete: 'remove' }) personId!: Types.ObjectId;
}

const things: AnyModel = new Mongoose().model('Thing', SchemaFactory.createForClass(Thing));
const _id = new Types.ObjectId();
let changes: Changes;
beforeEach(() => void (changes = new Changes(() => new Date())));

it('a record is known by its id, or by that of another record which its schema names', () => {
  const members: AnyModel = new Mongoose().model('Member', SchemaFactory.createForClass(Member));
  const personId = new Types.ObjectId();
  changes.add(things, undefined, { _id });
  changes.add(members, { _id, personId }, undefined);
  expect(changes.differences()).toMatchObject([
    { id: _id, sameAs: undefined },
    { id: personId, sameAs: 'Person' },
  ]);
});

describe('a record that a transaction writes twice', () => {
  it('has changed once, in what differs in the end, whatever each write had read of it', () => {
    changes.add(things, { _id, name: 'a' }, { _id, name: 'b' });
    changes.add(things, { _id, name: 'b', hash: '1' }, { _id, name: 'c', hash: '1' });
    expect(changes.differences()).toMatchObject([
      { kind: 'updated', record: { name: 'c' }, fields: [{ field: 'name' }] },
    ]);
    changes.add(things, { _id, name: 'c' }, { _id, name: 'a' });
    expect(changes.differences()).toEqual([]);
  });

  it('shows no internal field, whatever its name', () => {
    changes.add(things, undefined, { _id, name: 'a', hash: '1' });
    expect(changes.differences()).toMatchObject([{ record: { _id, name: 'a' } }]);
    expect(changes.differences()[0]!.record).not.toHaveProperty('hash');
  });

  it('has not changed where it was created and deleted', () => {
    changes.add(things, undefined, { _id, name: 'a' });
    changes.add(things, { _id, name: 'a' }, undefined);
    expect(changes.differences()).toEqual([]);
  });
});
