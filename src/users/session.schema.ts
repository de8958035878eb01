import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';

/** A refresh token that was used a moment ago. */
@Schema({ _id: false })
export class UsedToken {
  @Prop({ type: String, required: true }) hash!: string;
  @Prop({ type: Date, required: true }) usedAt!: Date;
}

const UsedTokenSchema = SchemaFactory.createForClass(UsedToken);

/** A login of a user, kept in the user's own record (contract §3 Session). */
@Schema({ _id: false })
export class Session {
  @Prop({ type: SchemaTypes.ObjectId, required: true }) _id!: Types.ObjectId;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true }) lastUsedAt!: Date;
  @Prop({ type: Date, required: true }) expiresAt!: Date;
  @Prop({ type: String, default: null }) userAgent!: string | null;
  /** SHA-256 of the refresh token that is due. */
  @Prop({ type: String, required: true }) tokenHash!: string;
  /** Those before it that may still be used again, the latest last (see tokens.service.ts). */
  @Prop({ type: [UsedTokenSchema], required: true }) usedTokens!: UsedToken[];
}

/** Embedded in Users. */
export const SessionSchema = SchemaFactory.createForClass(Session);

/** Whether a session has not run out. */
export function isLive({ expiresAt }: Pick<Session, 'expiresAt'>): boolean {
  return expiresAt.getTime() > Date.now();
}
