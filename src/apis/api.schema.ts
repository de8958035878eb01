import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { Slug, SlugSchema } from '../slugs/slug.schema';

/** The stages of an Api's life (contract §3 Api); a new one is being designed. */
export const LIFECYCLE_STATUSES = ['design', 'development', 'testing', 'production', 'deprecated'] as const;
/** One of them. */
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

/** An Api as it is stored (contract §3 Api). */
@Schema({ collection: 'apis', versionKey: false, autoIndex: false, autoCreate: false })
export class Api {
  _id!: Types.ObjectId;
  /** The Organization that it belongs to, for good. */
  @Prop({ type: SchemaTypes.ObjectId, required: true }) organizationId!: Types.ObjectId;
  @Prop({ type: String, required: true }) name!: string;
  /** The name as it is compared (`uniqueKey`, ADR 4): unique in the Organization. */
  @Prop({ type: String, required: true }) nameKey!: string;
  @Prop({ type: String, required: true }) url!: string;
  @Prop({ type: String, default: '' }) description!: string;
  @Prop({ type: String, required: true }) lifecycleStatus!: LifecycleStatus;
  @Prop({ type: Boolean, required: true }) isPublic!: boolean;
  @Prop({ type: String, default: null }) documentationUrl!: string | null;
  /** The slug in force. */
  @Prop({ type: SlugSchema, required: true }) slug!: Slug;
  /** All slugs that find this record, the one in force and the old ones: nobody else may have them. */
  @Prop({ type: [SlugSchema], required: true }) slugs!: Slug[];
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
export const ApiSchema = SchemaFactory.createForClass(Api);
ApiSchema.index({ organizationId: 1, nameKey: 1 }, { unique: true });
ApiSchema.index({ 'slugs.text': 1 }, { unique: true });
ApiSchema.index({ 'slug.base': 1, 'slug.index': -1 });
// What a caller may see is a union of these two, each of which MongoDB reads in the list's order.
ApiSchema.index({ isPublic: 1, _id: 1 });
ApiSchema.index({ organizationId: 1, _id: 1 });
