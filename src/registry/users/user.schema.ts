import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { accountKey, emailKey } from '../../platform/base/text/case-fold';
import { collection, ifSet, RecordOf, StoredRecord } from '../../platform/records/schema/record.schema';
import { ApiKey, ApiKeySchema } from './api-key.schema';
import { Session, SessionSchema } from './session.schema';

/** The roles of a User. A User who has the role `admin` and is not suspended is an Admin (ADR 14). */
export const ROLES = ['admin'] as const;
export type Role = (typeof ROLES)[number];

/** An address that a User logged in from, embedded in the User's record (known-addresses.ts). */
@Schema({ _id: false })
export class KnownAddress {
  /** A keyed hash of the address. */
  @Prop({ type: String, required: true }) hash!: string;
  @Prop({ type: Date, required: true }) lastLoginAt!: Date;
}

const KnownAddressSchema = SchemaFactory.createForClass(KnownAddress);

const TEXT = { type: String, required: true } as const;

/** A User as stored (contract §3 User), with their sessions and API keys embedded (docs/adr/0007). */
@Schema(collection('users', [['passwordHash', 'isSuspended'], ['sessions.tokenHash']]))
export class User extends StoredRecord {
  @Prop({ ...TEXT, searched: true, isName: true, keyField: 'usernameKey', makeKey: accountKey, taken: 'usernameTaken' })
  username!: string;
  @Prop({ type: String, required: true, select: false }) usernameKey!: string;
  @Prop({ type: String, required: true, searched: true }) companyName!: string;
  @Prop({ ...TEXT, searched: 'private', keyField: 'emailKey', makeKey: emailKey, taken: 'emailTaken' })
  email!: string;
  @Prop({ type: String, required: true, select: false }) emailKey!: string;
  /** Is set if an Admin set the present address; other addresses are not verified (contract §3 User). */
  @Prop({ type: Boolean, default: false, select: false }) emailSetByAdmin!: boolean;
  /** Null for a User who logs in at the identity provider only. */
  @Prop({ type: String, default: null, select: false, requestField: 'password' }) passwordHash!: string | null;
  @Prop({ type: [String], enum: ROLES, default: [] }) roles!: Role[];
  /** Stored records of earlier versions lack it. */
  @Prop({ type: Boolean, default: false }) isSuspended!: boolean;
  @Prop({ type: Date, default: null, readOnly: true }) suspendedAt!: Date | null;
  /** The subject of the identity provider's tokens (contract §11). Stored records of earlier versions lack it. */
  @Prop({ type: String, default: null, keyField: 'externalId', taken: 'externalIdTaken' }) externalId!: string | null;
  @Prop({ type: [SessionSchema], default: [], select: false }) sessions!: Session[];
  /** Like sessions, they never change the `revision`. The limit counts those that have expired too (contract §4). */
  @Prop({
    type: [ApiKeySchema],
    default: [],
    select: false,
    embeds: ApiKey.name,
    limit: { max: 20, error: 'tooManyApiKeys' },
  })
  apiKeys?: ApiKey[];
  /** Addresses that the User logged in from lately, the latest last. Like sessions, they never change the `revision`. */
  @Prop({ type: [KnownAddressSchema], default: [], select: false }) knownAddresses?: KnownAddress[];
}

/** A User as queries return it. */
export type UserRecord = RecordOf<
  User,
  'usernameKey' | 'emailKey' | 'emailSetByAdmin' | 'passwordHash' | 'sessions' | 'apiKeys' | 'knownAddresses'
>;

/** What callers who are not Admins see of other Users (contract §3 User). */
export type Person = Pick<UserRecord, '_id' | 'username' | 'companyName' | 'createdAt'>;

/** Extra fields loaded for login and lookups. */
export const NAMED_USER_FIELDS = ['passwordHash', 'emailSetByAdmin', 'knownAddresses'] as const;

/** A User with what a login compares, and whether their e-mail address may name them. */
export type NamedUser = UserRecord & Pick<User, (typeof NAMED_USER_FIELDS)[number]>;

/** The filter for Users who are not suspended. */
export const NOT_SUSPENDED = { isSuspended: { $ne: true } } as const;

export const UserSchema = SchemaFactory.createForClass(User);
UserSchema.index({ usernameKey: 1 }, { unique: true });
UserSchema.index({ emailKey: 1 }, { unique: true });
UserSchema.index({ externalId: 1 }, { unique: true, ...ifSet('externalId') });
UserSchema.index({ 'sessions._id': 1 });
UserSchema.index({ 'apiKeys.hash': 1 });
UserSchema.index({ roles: 1 });
// `GET /users?isSuspended=`.
UserSchema.index({ isSuspended: 1, _id: 1 });

/** The one document that every transaction writes that grants or revokes the role `admin` (ADR 14). */
@Schema(collection('adminGuard'))
export class AdminGuard {
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: Number, default: 0 }) changes!: number;
}

export const AdminGuardSchema = SchemaFactory.createForClass(AdminGuard);
