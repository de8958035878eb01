import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { Session, SessionSchema } from './session.schema';

/** What a User may be beside somebody with an account (contract §3 User). */
export const ROLES = ['admin'] as const;
/** One of them. */
export type Role = (typeof ROLES)[number];

/** A User as stored (contract §3 User), with their sessions (ADR 7). */
@Schema({ collection: 'users', versionKey: false, autoIndex: false, autoCreate: false })
export class User {
  _id!: Types.ObjectId;
  @Prop({ type: String, required: true }) username!: string;
  /** The username as it is compared, at login too (`uniqueKey`, ADR 4): unique. */
  @Prop({ type: String, required: true }) usernameKey!: string;
  @Prop({ type: String, required: true }) companyName!: string;
  @Prop({ type: String, required: true }) email!: string;
  /** The e-mail address as it is compared, at login too: unique. */
  @Prop({ type: String, required: true }) emailKey!: string;
  @Prop({ type: String, required: true }) passwordHash!: string;
  @Prop({ type: [String], required: true }) roles!: Role[];
  @Prop({ type: [SessionSchema], required: true }) sessions!: Session[];
  /** The folded searched fields, a line each. */
  @Prop({ type: String, required: true }) searchText!: string;
  /** Counts the references that were ever made to this record, so that each one writes it (ADR 2). */
  @Prop({ type: Number, required: true, default: 0 }) referenceCount!: number;
  /**
   * Rises with every change that an answer shows, in the update that makes it; logins and links are none. Each update has
   * the judged one in its filter: where it misses, the record is read and judged again (ADR 10).
   */
  @Prop({ type: Number, required: true, default: 0 }) revision!: number;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true }) updatedAt!: Date;
}

/** Registered in database.module.ts; its indexes are built at the start, before the service is ready. */
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

/** Registered in database.module.ts. */
export const AdminListSchema = SchemaFactory.createForClass(AdminList);
