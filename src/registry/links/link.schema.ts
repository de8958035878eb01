import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { atMost } from '../../platform/records/schema/field-options';
import { collection } from '../../platform/records/schema/record.schema';

/** A record whose deletion deletes the link. */
const owner = { type: SchemaTypes.ObjectId, default: null, onDelete: 'remove' } as const;

/** A link for one use: a User sets a password with it, or a person who is invited to an Organization joins it. */
@Schema(collection('links'))
export class Link {
  _id!: Types.ObjectId;
  /** SHA-256 of the token. */
  @Prop({ type: String, required: true, select: false }) hash!: string;
  /** Whose password it sets; null for an invitation. */
  @Prop({ ...owner, ref: 'User' }) userId!: Types.ObjectId | null;
  /** The Organization that it invites to; null for a password. */
  @Prop({
    ...owner,
    ref: 'Organization',
    limit: atMost('The Organization has reached its limit of', 50, 'Invitations'),
  })
  organizationId!: Types.ObjectId | null;
  /** The address of the person who is invited. */
  @Prop({ type: String, default: null }) email!: string | null;
  /** Who made it; null for a command of the operator. */
  @Prop({ ...owner, ref: 'User' }) createdBy!: Types.ObjectId | null;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true }) expiresAt!: Date;
  /** Never rises: a link is made and deleted. */
  @Prop({ type: Number, default: 0 }) revision!: number;
}

/** A link as queries return it. */
export type LinkRecord = Omit<Link, 'hash'>;

export const LinkSchema = SchemaFactory.createForClass(Link);
LinkSchema.index({ hash: 1 });
LinkSchema.index({ userId: 1 });
LinkSchema.index({ organizationId: 1 });
LinkSchema.index({ createdBy: 1 });
LinkSchema.index({ expiresAt: 1 });
