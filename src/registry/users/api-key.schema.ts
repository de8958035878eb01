import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type { ApiKeyScope } from '../../platform/http/access/api-key';

/** An API key of a User, embedded in the User's record (contract §3 ApiKey). */
@Schema({ _id: false })
export class ApiKey {
  @Prop({ type: SchemaTypes.ObjectId, required: true }) _id!: Types.ObjectId;
  @Prop({ type: String, required: true, isName: true }) name!: string;
  @Prop({ type: String, required: true }) scope!: ApiKeyScope;
  /** As it was sent: a date holds until the end of that day in UTC. */
  @Prop({ type: String, default: null }) expiresAt!: string | null;
  /** The last four characters of the key. */
  @Prop({ type: String, required: true }) hint!: string;
  /** SHA-256 of the whole key. */
  @Prop({ type: String, required: true, select: false }) hash!: string;
  /** To the minute. */
  @Prop({ type: Date, default: null }) lastUsedAt!: Date | null;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: SchemaTypes.ObjectId, required: true, ref: 'User', onDelete: 'keep' }) createdBy!: Types.ObjectId;
}

export const ApiKeySchema = SchemaFactory.createForClass(ApiKey);
