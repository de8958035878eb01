import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { Session, SessionSchema } from '../sessions/session.schema';

export const ROLES = ['admin'] as const;
export type Role = (typeof ROLES)[number];

@Schema({ collection: 'users', versionKey: false, autoIndex: false, autoCreate: false })
export class User {
  _id!: Types.ObjectId;
  @Prop({ type: String, required: true }) username!: string;
  @Prop({ type: String, required: true }) usernameKey!: string;
  @Prop({ type: String, required: true }) companyName!: string;
  @Prop({ type: String, required: true }) email!: string;
  @Prop({ type: String, required: true }) emailKey!: string;
  @Prop({ type: String, required: true }) passwordHash!: string;
  @Prop({ type: [String], required: true }) roles!: Role[];
  @Prop({ type: [SessionSchema], required: true }) sessions!: Session[];
  /** The folded searched fields, a line each. */
  @Prop({ type: String, required: true }) searchText!: string;
  /** Counts the references that were ever made to this record, so that each one writes it (docs/adr). */
  @Prop({ type: Number, required: true, default: 0 }) links!: number;
  @Prop({ type: Number, required: true, default: 0 }) revision!: number;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true }) updatedAt!: Date;
}

export const UserSchema = SchemaFactory.createForClass(User);
UserSchema.index({ usernameKey: 1 }, { unique: true });
UserSchema.index({ emailKey: 1 }, { unique: true });
UserSchema.index({ 'sessions._id': 1 });

/** The one document that lists the Admins: granting, taking and deleting an Admin all write it. */
@Schema({ collection: 'admins', versionKey: false, autoIndex: false, autoCreate: false })
export class AdminList {
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: [SchemaTypes.ObjectId], required: true }) userIds!: Types.ObjectId[];
}

export const AdminListSchema = SchemaFactory.createForClass(AdminList);
