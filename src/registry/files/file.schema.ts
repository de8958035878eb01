import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { atMost } from '../../platform/records/schema/field-options';
import { collection } from '../../platform/records/schema/record.schema';

/** The media types of images that may be uploaded (contract §4). */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/**
 * An uploaded image, in one document: GridFS takes no part in transactions. `organizationId` says whether it is a logo;
 * every write has the expected value in its filter, so one of two concurrent writes misses.
 */
@Schema(collection('files', [['organizationId', 'createdBy']]))
export class File {
  _id!: Types.ObjectId;
  @Prop({ type: String, required: true }) fileName!: string;
  @Prop({ type: String, required: true, enum: IMAGE_TYPES }) contentType!: ImageType;
  /** In bytes. */
  @Prop({ type: Number, required: true }) size!: number;
  @Prop({ type: Buffer, required: true, select: false }) data!: Buffer;
  @Prop({ type: SchemaTypes.ObjectId, default: null, ref: 'Organization', onDelete: 'remove' })
  organizationId!: Types.ObjectId | null;
  /** Time at which it stopped being a logo; the sweep deletes it a day later. Null while it is one. */
  @Prop({ type: Date, default: null, select: false }) unattachedSince!: Date | null;
  /** Is set once it is replaced as a logo: then it counts towards the limit of 100 only. */
  @Prop({ type: Boolean, default: false, select: false }) wasLogo!: boolean;
  /** The User who uploaded it; a logo outlives them (FilesService). */
  @Prop({
    type: SchemaTypes.ObjectId,
    required: true,
    ref: 'User',
    onDelete: 'keep',
    limit: atMost('You have reached your limit of', 1000, 'Files'),
  })
  createdBy!: Types.ObjectId;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  /** Never rises: GET returns the bytes, and they never change. */
  @Prop({ type: Number, default: 0 }) revision!: number;
}

/** A File as queries return it. */
export type FileRecord = Omit<File, 'data' | 'unattachedSince' | 'wasLogo'>;

export const FileSchema = SchemaFactory.createForClass(File);
FileSchema.index({ createdBy: 1, organizationId: 1 });
FileSchema.index({ organizationId: 1 });
FileSchema.index({ unattachedSince: 1 });
