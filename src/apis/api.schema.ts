import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { Slug, SlugSchema } from '../database/slug.schema';

/** The stages of an Api's life (contract §3 Api); a new one is being designed. */
export const LIFECYCLE_STATUSES = ['design', 'development', 'testing', 'production', 'deprecated'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

@Schema({ collection: 'apis', versionKey: false, autoIndex: false, autoCreate: false })
export class Api {
  _id!: Types.ObjectId;
  /** The Organization that it belongs to, for good. */
  @Prop({ type: SchemaTypes.ObjectId, required: true }) organizationId!: Types.ObjectId;
  @Prop({ type: String, required: true }) name!: string;
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
  @Prop({ type: Number, required: true, default: 0 }) links!: number;
  @Prop({ type: Number, required: true, default: 0 }) revision!: number;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  @Prop({ type: Date, required: true }) updatedAt!: Date;
}

export const ApiSchema = SchemaFactory.createForClass(Api);
ApiSchema.index({ organizationId: 1, nameKey: 1 }, { unique: true });
ApiSchema.index({ 'slugs.text': 1 }, { unique: true });
ApiSchema.index({ 'slug.base': 1, 'slug.index': -1 });
// What a caller may see is a union of these two, each of which MongoDB reads in the list's order.
ApiSchema.index({ isPublic: 1, _id: 1 });
ApiSchema.index({ organizationId: 1, _id: 1 });
