import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { atMost } from '../../platform/records/schema/field-options';
import { collection, ifSet, RecordOf } from '../../platform/records/schema/record.schema';
import { addSortIndexes } from '../../platform/records/schema/sorts';
import { addSlugIndexes, SluggedRecord, sluggedName } from '../../platform/records/schema/slug.schema';

/** A User as a Manager of an Organization, embedded in the Organization's record in the order of joining. */
@Schema({ _id: false })
export class Manager {
  @Prop({
    type: SchemaTypes.ObjectId,
    required: true,
    ref: 'User',
    onDelete: 'pull',
    limit: atMost('The User has reached the limit of', 1000, 'Organizations'),
  })
  _id!: Types.ObjectId;
  /** The User who added them; may have been deleted since. */
  @Prop({ type: SchemaTypes.ObjectId, required: true, select: false, ref: 'User', onDelete: 'keep' })
  createdBy!: Types.ObjectId;
  @Prop({ type: Date, required: true, select: false }) createdAt!: Date;
}

const ManagerSchema = SchemaFactory.createForClass(Manager);

export const MAX_MANAGERS = 500;

/** The stored form of an Organization (contract §3 Organization), with its Managers embedded (docs/adr/0007). */
@Schema(collection('organizations'))
export class Organization extends SluggedRecord {
  @Prop(sluggedName('organization', 'organizationNameTaken')) name!: string;
  @Prop({ type: String, required: true, select: false }) nameKey!: string;
  @Prop({ type: String, default: null, searched: true }) url!: string | null;
  @Prop({ type: String, default: '', searched: true }) description!: string;
  @Prop({
    type: [ManagerSchema],
    required: true,
    embeds: Manager.name,
    limit: atMost('The Organization has reached its limit of', MAX_MANAGERS, 'Managers'),
  })
  managers!: Manager[];
  @Prop({
    type: [SchemaTypes.ObjectId],
    default: [],
    ref: 'Api',
    onDelete: 'pull',
    among: { organizationId: '$_id', isPublic: true },
    mustBe: 'a public API of this Organization',
  })
  featuredApiIds!: Types.ObjectId[];
  /** Written with the File, which names the Organization too (FilesService.replaceLogo). */
  @Prop({ type: SchemaTypes.ObjectId, default: null, ref: 'File', onDelete: 'clear' })
  organizationLogoFileId!: Types.ObjectId | null;
  @Prop({ type: String, default: null }) contactName!: string | null;
  @Prop({ type: String, default: null }) contactEmail!: string | null;
  @Prop({ type: String, default: null }) contactPhone!: string | null;
  @Prop({ type: String, default: null }) contactUrl!: string | null;
  @Prop({ type: String, default: null, keyField: 'externalId', taken: 'organizationExternalIdTaken' })
  externalId!: string | null;
  @Prop({ type: SchemaTypes.ObjectId, required: true, ref: 'User', onDelete: 'keep' }) createdBy!: Types.ObjectId;
}

/** An Organization as queries return it; of its managers only the ids. */
export type OrganizationRecord = RecordOf<Organization, 'nameKey' | 'slugs' | 'managers'> & {
  managers: Pick<Manager, '_id'>[];
};

/** The ids of an Organization's managers. */
export function managerIdsOf({ managers }: OrganizationRecord): Types.ObjectId[] {
  return managers.map(({ _id }) => _id);
}

export const OrganizationSchema = SchemaFactory.createForClass(Organization);
OrganizationSchema.index({ nameKey: 1 }, { unique: true });
OrganizationSchema.index({ externalId: 1 }, { unique: true, ...ifSet('externalId') });
OrganizationSchema.index({ 'managers._id': 1 });
OrganizationSchema.index({ featuredApiIds: 1 });
OrganizationSchema.index({ organizationLogoFileId: 1 });
OrganizationSchema.index({ createdBy: 1 });
addSlugIndexes(OrganizationSchema);
addSortIndexes(OrganizationSchema, 'name', 'updatedAt');
