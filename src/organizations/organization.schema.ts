import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { Slug, SlugSchema } from '../slugs/slug.schema';
import { Manager, ManagerSchema } from './manager.schema';

/** How many managers an Organization holds at most (contract §3), so that its deletion fits one transaction. */
export const MAX_MANAGERS = 500;

/** How many Apis an Organization holds at most (contract §3). */
export const MAX_APIS = 1000;

/** An Organization as it is stored (contract §3 Organization), with its Managers in it (ADR 7). */
@Schema({ collection: 'organizations', versionKey: false, autoIndex: false, autoCreate: false })
export class Organization {
  _id!: Types.ObjectId;
  @Prop({ type: String, required: true }) name!: string;
  /** The name as it is compared (`uniqueKey`, ADR 4): unique. */
  @Prop({ type: String, required: true }) nameKey!: string;
  @Prop({ type: String, required: true }) url!: string;
  @Prop({ type: String, default: '' }) description!: string;
  /** The slug in force. */
  @Prop({ type: SlugSchema, required: true }) slug!: Slug;
  /** All slugs that find this record, the one in force and the old ones: nobody else may have them. */
  @Prop({ type: [SlugSchema], required: true }) slugs!: Slug[];
  @Prop({ type: [ManagerSchema], required: true }) managers!: Manager[];
  @Prop({ type: [SchemaTypes.ObjectId], required: true }) featuredApiIds!: Types.ObjectId[];
  @Prop({ type: SchemaTypes.ObjectId, default: null }) organizationLogoFileId!: Types.ObjectId | null;
  /** How many Apis belong to it, kept by the transactions that create and delete them. */
  @Prop({ type: Number, required: true, default: 0 }) apiCount!: number;
  @Prop({ type: SchemaTypes.ObjectId, required: true }) createdBy!: Types.ObjectId;
  /** The folded searched fields, a line each. */
  @Prop({ type: String, required: true }) searchText!: string;
  /** Counts the references that were ever made to this record, so that each one writes it (ADR 2). */
  @Prop({ type: Number, required: true, default: 0 }) referenceCount!: number;
  /**
   * Rises with every change that an answer shows, in the update that makes it. Each update has the judged one in its
   * filter: where it misses, the record is read and judged again (ADR 10).
   */
  @Prop({ type: Number, required: true, default: 0 }) revision!: number;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true }) updatedAt!: Date;
}

/** Registered in database.module.ts; its indexes are built at the start, before the service is ready. */
export const OrganizationSchema = SchemaFactory.createForClass(Organization);
OrganizationSchema.index({ nameKey: 1 }, { unique: true });
OrganizationSchema.index({ 'slugs.text': 1 }, { unique: true });
OrganizationSchema.index({ 'slug.base': 1, 'slug.index': -1 });
OrganizationSchema.index({ 'managers._id': 1 });
