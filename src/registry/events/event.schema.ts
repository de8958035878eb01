import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type { FieldChange } from '../../platform/records/transactions/changes';
import { collection } from '../../platform/records/schema/record.schema';

/** What a write did to one record, and who sent it (contract §3 Event). Only its retention and `forget` change it. */
@Schema(collection('events'))
export class Event {
  _id!: Types.ObjectId;
  /** The resource and what happened to it: `organization.created`. */
  @Prop({ type: String, required: true }) type!: string;
  @Prop({ type: SchemaTypes.ObjectId, required: true, onDelete: 'keep' }) resourceId!: Types.ObjectId;
  /** As it was then. */
  @Prop({ type: String, default: null }) resourceName!: string | null;
  @Prop({ type: SchemaTypes.ObjectId, default: null, onDelete: 'keep' }) organizationId!: Types.ObjectId | null;
  @Prop({ type: SchemaTypes.ObjectId, default: null, onDelete: 'keep' }) userId!: Types.ObjectId | null;
  /** Of a record that belongs to an API, such as a Consumer: the API, and the name of that as it was then. */
  @Prop({ type: SchemaTypes.ObjectId, default: null, onDelete: 'keep' }) apiId!: Types.ObjectId | null;
  @Prop({ type: String, default: null }) apiName!: string | null;
  @Prop({ type: SchemaTypes.ObjectId, default: null, onDelete: 'keep' }) actorId!: Types.ObjectId | null;
  @Prop({ type: String, default: null }) actorUsername!: string | null;
  @Prop({ type: SchemaTypes.ObjectId, default: null, onDelete: 'keep' }) apiKeyId!: Types.ObjectId | null;
  /** The Organizations in whose lists it is: its own, and the Consumers that may see it. */
  @Prop({ type: [SchemaTypes.ObjectId], default: [], select: false, onDelete: 'keep' }) readerIds!: Types.ObjectId[];
  @Prop({ type: [SchemaTypes.Mixed], default: [] }) changes!: FieldChange[];
  @Prop({ type: String, default: null }) requestId!: string | null;
  @Prop({ type: Date, required: true }) createdAt!: Date;
}

/** An Event as queries return it. `Records` asks for a revision; none is stored, because no request changes an Event. */
export type EventRecord = Omit<Event, 'readerIds'> & { readonly revision: number };

export const EventSchema = SchemaFactory.createForClass(Event);
// Each filter with the order of the list. Times are found by `_id`, which begins with one.
EventSchema.index({ resourceId: 1, _id: 1 });
EventSchema.index({ organizationId: 1, _id: 1 });
EventSchema.index({ actorId: 1, _id: 1 });
EventSchema.index({ readerIds: 1, _id: 1 });
EventSchema.index({ readerIds: 1, resourceId: 1, _id: 1 });
EventSchema.index({ readerIds: 1, actorId: 1, _id: 1 });
