import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Mongoose, SchemaTypes, Types } from 'mongoose';
import type { AnyModel } from '../driver/any-model';
import { Changes } from './changes';
import { collection, StoredRecord } from '../schema/record.schema';

const ID = SchemaTypes.ObjectId;

@Schema(collection('things'))
class Thing extends StoredRecord {
  @Prop({ type: String }) name!: string;
  @Prop({ type: String, select: false, requestField: 'secret' }) hash!: string;
}

@Schema(collection('members'))
class Member extends StoredRecord {
  @Prop({ type: ID, required: true, shownAsId: true, ref: 'Person', onDelete: 'remove' }) personId!: Types.ObjectId;
  @Prop({ type: ID, required: true, ref: 'House', onDelete: 'removeWithEvent' }) home!: Types.ObjectId;
  @Prop({ type: ID, required: true, ref: 'Person', onDelete: 'keep' }) createdBy!: Types.ObjectId;
  @Prop({ type: String, isName: true }) title!: string;
}

const things: AnyModel = new Mongoose().model('Thing', SchemaFactory.createForClass(Thing));
const _id = new Types.ObjectId();
let changes: Changes;
beforeEach(() => void (changes = new Changes(() => new Date())));

it('a record has the id, the name and the owners that its schema declares', () => {
  const members: AnyModel = new Mongoose().model('Member', SchemaFactory.createForClass(Member));
  const [personId, home, createdBy] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  changes.add(things, undefined, { _id, name: 'a' });
  changes.add(members, { _id, personId, home, createdBy, title: 'b' }, undefined);
  const [thing, member] = changes.differences();
  expect(thing).toMatchObject({ id: _id, sameAs: undefined, name: null, owners: {} });
  expect(member).toMatchObject({ id: personId, sameAs: 'Person', name: 'b' });
  expect(member!.owners).toEqual({ House: home });
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
