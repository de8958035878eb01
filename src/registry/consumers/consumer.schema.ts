import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { atMost } from '../../platform/records/schema/field-options';
import { collection, RecordOf, StoredRecord } from '../../platform/records/schema/record.schema';

/** A record that it goes with. */
const owner = { type: SchemaTypes.ObjectId, required: true, onDelete: 'removeWithEvent' } as const;

/** An Organization as the Consumer of an API (contract §3 Consumer). */
@Schema(collection('consumers'))
export class Consumer extends StoredRecord {
  @Prop({
    ...owner,
    ref: 'Api',
    among: { organizationId: '$organizationId' },
    limit: atMost('The API has reached its limit of', 200, 'Consumers'),
  })
  apiId!: Types.ObjectId;
  /** That of the API. */
  @Prop({
    ...owner,
    ref: 'Organization',
    limit: atMost('The APIs of the Organization have reached their limit of', 10_000, 'Consumers'),
  })
  organizationId!: Types.ObjectId;
  /** The Organization that uses the API. */
  @Prop({
    ...owner,
    ref: 'Organization',
    shownAsId: true,
    taken: 'consumerExists',
    limit: atMost('The Consumer has reached its limit of', 1000, 'APIs'),
  })
  consumerId!: Types.ObjectId;
  @Prop({ type: String, default: '' }) note!: string;
  @Prop({ type: SchemaTypes.ObjectId, required: true, ref: 'User', onDelete: 'keep' }) createdBy!: Types.ObjectId;
}

/** A Consumer as queries return it. */
export type StoredConsumer = RecordOf<Consumer>;

export const ConsumerSchema = SchemaFactory.createForClass(Consumer);
ConsumerSchema.index({ apiId: 1, consumerId: 1 }, { unique: true });
ConsumerSchema.index({ organizationId: 1 });
ConsumerSchema.index({ consumerId: 1 });
