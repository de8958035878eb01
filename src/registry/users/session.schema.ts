import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';

/** A refresh token that was used a moment ago. */
@Schema({ _id: false })
export class UsedToken {
  @Prop({ type: String, required: true }) hash!: string;
  @Prop({ type: Date, required: true }) usedAt!: Date;
}

const UsedTokenSchema = SchemaFactory.createForClass(UsedToken);

/** A login of a User, embedded in the User's record (contract §3 Session). */
@Schema({ _id: false })
export class Session {
  @Prop({ type: SchemaTypes.ObjectId, required: true }) _id!: Types.ObjectId;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true }) lastUsedAt!: Date;
  @Prop({ type: Date, required: true }) expiresAt!: Date;
  @Prop({ type: String, default: null }) userAgent!: string | null;
  /** SHA-256 of the current refresh token. */
  @Prop({ type: String, required: true }) tokenHash!: string;
  /** The refresh tokens before it that may still be repeated, the latest last (sessions.service.ts). */
  @Prop({ type: [UsedTokenSchema], required: true }) usedTokens!: UsedToken[];
}

export const SessionSchema = SchemaFactory.createForClass(Session);

/** Recognizes a session that has not expired. */
export function isLive({ expiresAt }: Pick<Session, 'expiresAt'>): boolean {
  return expiresAt.getTime() > Date.now();
}
