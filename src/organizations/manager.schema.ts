import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';

/** A user's place among the managers of an Organization, kept in the Organization's record, in the order of joining. */
@Schema({ _id: false })
export class Manager {
  /** The user's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true }) _id!: Types.ObjectId;
  /** The User who added them; may have been deleted since. */
  @Prop({ type: SchemaTypes.ObjectId, required: true }) createdBy!: Types.ObjectId;
  @Prop({ type: Date, required: true }) createdAt!: Date;
}

/** Embedded in Organizations. */
export const ManagerSchema = SchemaFactory.createForClass(Manager);
