import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { NEVER } from '../../platform/records/schema/derived-fields';
import { atMost } from '../../platform/records/schema/field-options';
import { collection, ifSet, RecordOf } from '../../platform/records/schema/record.schema';
import { addSortIndexes } from '../../platform/records/schema/sorts';
import { addSlugIndexes, SluggedRecord, sluggedName } from '../../platform/records/schema/slug.schema';

/** The stages of an API's life (contract §3 Api); a new one is in design. */
export const LIFECYCLE_STATUSES = ['design', 'development', 'testing', 'production', 'deprecated'] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

/** What describes an API (contract §3 Api). */
export const DEFINITION_TYPES = ['openapi', 'asyncapi', 'graphql', 'grpc', 'wsdl', 'other'] as const;
export type DefinitionType = (typeof DEFINITION_TYPES)[number];

/** The most APIs of an Organization (contract §3). */
export const MAX_APIS = 1000;

/** The stored form of an API (contract §3 Api). */
@Schema(collection('apis'))
export class Api extends SluggedRecord {
  /** The Organization that it belongs to, permanently. */
  @Prop({
    type: SchemaTypes.ObjectId,
    required: true,
    ref: 'Organization',
    onDelete: 'remove',
    limit: atMost('The Organization has reached its limit of', MAX_APIS, 'APIs'),
  })
  organizationId!: Types.ObjectId;
  @Prop(sluggedName('api', 'apiNameTaken')) name!: string;
  @Prop({ type: String, required: true, select: false }) nameKey!: string;
  /** Null for an API that clients cannot call yet. */
  @Prop({ type: String, default: null, searched: true }) url!: string | null;
  @Prop({ type: String, default: '', searched: true }) description!: string;
  /** As its owner writes it. */
  @Prop({ type: String, default: null, searched: true }) version!: string | null;
  @Prop({ type: String, enum: LIFECYCLE_STATUSES, default: 'design' }) lifecycleStatus!: LifecycleStatus;
  /** As it was sent. */
  @Prop({ type: String, default: null, timeField: 'sunsetTime', valuesInEvents: true }) sunsetAt!: string | null;
  @Prop({ type: Date, default: NEVER, select: false }) sunsetTime!: Date;
  @Prop({
    type: SchemaTypes.ObjectId,
    default: null,
    ref: 'Api',
    onDelete: 'clear',
    among: { organizationId: '$organizationId' },
    mustBe: 'another API of the same Organization',
  })
  successorId!: Types.ObjectId | null;
  @Prop({ type: Boolean, default: false }) isPublic!: boolean;
  /** Whether Organizations may become its Consumers by themselves. */
  @Prop({ type: Boolean, default: true }) acceptsConsumers!: boolean;
  @Prop({ type: String, default: null }) documentationUrl!: string | null;
  @Prop({ type: String, default: null }) contactName!: string | null;
  @Prop({ type: String, default: null }) contactEmail!: string | null;
  @Prop({ type: String, default: null }) contactPhone!: string | null;
  @Prop({ type: String, default: null }) contactUrl!: string | null;
  @Prop({ type: String, default: null }) definitionUrl!: string | null;
  @Prop({ type: String, enum: DEFINITION_TYPES, default: null }) definitionType!: DefinitionType | null;
  @Prop({ type: [String], default: [], searched: true }) tags!: string[];
  @Prop({ type: String, default: null, keyField: 'externalId', taken: 'apiExternalIdTaken' }) externalId!:
    string | null;
  /** When somebody last made sure that the record is right, as it was sent. */
  @Prop({ type: String, default: null }) reviewedAt!: string | null;
  @Prop({ type: SchemaTypes.ObjectId, required: true, ref: 'User', onDelete: 'keep' }) createdBy!: Types.ObjectId;
}

/** An API as queries return it. */
export type ApiRecord = RecordOf<Api, 'nameKey' | 'slugs' | 'sunsetTime'>;

export const ApiSchema = SchemaFactory.createForClass(Api);
ApiSchema.index({ organizationId: 1, nameKey: 1 }, { unique: true });
ApiSchema.index({ organizationId: 1, externalId: 1 }, { unique: true, ...ifSet('externalId') });
// In all Organizations (`GET /apis?externalId=`).
ApiSchema.index({ externalId: 1 }, ifSet('externalId'));
// What a caller may see is a union of these two, each of which MongoDB reads in the list's order.
ApiSchema.index({ isPublic: 1, _id: 1 });
ApiSchema.index({ organizationId: 1, _id: 1 });
ApiSchema.index({ successorId: 1, _id: 1 });
// `?lifecycleStatus=` and `?tag=`.
ApiSchema.index({ lifecycleStatus: 1, _id: 1 });
ApiSchema.index({ tags: 1, _id: 1 });
addSlugIndexes(ApiSchema);
// They also serve `?name=`, `?sunsetBefore=` and `?updatedBefore=`.
addSortIndexes(ApiSchema, 'name', 'updatedAt', 'sunsetAt');
