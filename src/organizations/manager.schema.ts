import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';

/** A User as a manager of an Organization, embedded in the Organization's record in the order of joining. */
@Schema({ _id: false })
export class Manager {
  /** The User's id. */
  @Prop({ type: SchemaTypes.ObjectId, required: true, ref: 'User' }) _id!: Types.ObjectId;
  /** The User who added them; may have been deleted since. */
  @Prop({ type: SchemaTypes.ObjectId, required: true, select: false }) createdBy!: Types.ObjectId;
  @Prop({ type: Date, required: true, select: false }) createdAt!: Date;
}

/** Embedded in Organizations. */
export const ManagerSchema = SchemaFactory.createForClass(Manager);
