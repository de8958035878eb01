import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { collection, RecordOf } from '../../platform/records/record.schema';
import { sluggedName } from '../../platform/records/slugs/allocate-slug';
import { addSlugIndexes, SluggedRecord } from '../../platform/records/slugs/slug.schema';

/** The most managers of an Organization (contract §3), so its deletion fits one transaction. */
export const MAX_MANAGERS = 500;

/** The most APIs of an Organization (contract §3). */
export const MAX_APIS = 1000;

/** A User as a Manager of an Organization, embedded in the Organization's record in the order of joining. */
@Schema({ _id: false })
export class Manager {
  @Prop({ type: SchemaTypes.ObjectId, required: true, ref: 'User' }) _id!: Types.ObjectId;
  /** The User who added them; may have been deleted since. */
  @Prop({ type: SchemaTypes.ObjectId, required: true, select: false }) createdBy!: Types.ObjectId;
  @Prop({ type: Date, required: true, select: false }) createdAt!: Date;
}

const ManagerSchema = SchemaFactory.createForClass(Manager);

/** An Organization as it is stored (contract §3 Organization), with its Managers embedded (docs/adr/0007). */
@Schema(collection('organizations'))
export class Organization extends SluggedRecord {
  @Prop(sluggedName('organization', 'organizationNameTaken')) name!: string;
  @Prop({ type: String, required: true, select: false }) nameKey!: string;
  @Prop({ type: String, required: true, searched: true }) url!: string;
  @Prop({ type: String, default: '', searched: true }) description!: string;
  @Prop({ type: [ManagerSchema], required: true, embeds: Manager.name }) managers!: Manager[];
  @Prop({ type: [SchemaTypes.ObjectId], default: [], ref: 'Api' }) featuredApiIds!: Types.ObjectId[];
  @Prop({ type: SchemaTypes.ObjectId, default: null, ref: 'File' }) organizationLogoFileId!: Types.ObjectId | null;
  @Prop({ type: String, default: null }) contactName!: string | null;
  @Prop({ type: String, default: null }) contactEmail!: string | null;
  @Prop({ type: String, default: null }) contactPhone!: string | null;
  @Prop({ type: String, default: null }) contactUrl!: string | null;
  /** How many APIs belong to it, kept by the transactions that create and delete them. */
  @Prop({ type: Number, default: 0, select: false }) apiCount!: number;
  @Prop({ type: SchemaTypes.ObjectId, required: true }) createdBy!: Types.ObjectId;
}

/** An Organization as queries return it; of its managers only the ids. */
export type OrganizationRecord = RecordOf<Organization, 'nameKey' | 'slugs' | 'apiCount' | 'managers'> & {
  managers: Pick<Manager, '_id'>[];
};

export const OrganizationSchema = SchemaFactory.createForClass(Organization);
OrganizationSchema.index({ nameKey: 1 }, { unique: true });
OrganizationSchema.index({ 'managers._id': 1 });
OrganizationSchema.index({ createdBy: 1 });
addSlugIndexes(OrganizationSchema);
