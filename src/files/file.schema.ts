import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';

/** Content types of the images that may be uploaded (contract §4). */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** How many unattached files a user has at most when adding another (contract §3 File). */
export const MAX_UNATTACHED = 20;

/** An image, in one document: GridFS takes no part in transactions. */
@Schema({ collection: 'files', versionKey: false, autoIndex: false, autoCreate: false })
export class File {
  _id!: Types.ObjectId;
  @Prop({ type: String, required: true }) fileName!: string;
  @Prop({ type: String, required: true, enum: IMAGE_TYPES }) contentType!: ImageType;
  /** In bytes. */
  @Prop({ type: Number, required: true }) size!: number;
  /** The bytes. Up to 1 MiB, so that only GET of the file reads them. */
  @Prop({ type: Buffer, required: true, select: false }) data!: Buffer;
  /** The Organization whose logo it is. */
  @Prop({ type: SchemaTypes.ObjectId, default: null }) organizationId!: Types.ObjectId | null;
  /** Since when it is no logo, from which the sweep counts its day; null while it is one. */
  @Prop({ type: Date, default: null }) unattachedSince!: Date | null;
  /** The User who uploaded it; a logo outlives them. */
  @Prop({ type: SchemaTypes.ObjectId, required: true }) createdBy!: Types.ObjectId;
  @Prop({ type: Date, required: true }) createdAt!: Date;
  /** Never rises: the bytes, which are what GET gives, stay as they are. */
  @Prop({ type: Number, required: true, default: 0 }) revision!: number;
}

/** Registered in database.module.ts; its indexes are built at the start, before the service is ready. */
export const FileSchema = SchemaFactory.createForClass(File);
FileSchema.index({ createdBy: 1, organizationId: 1 });
FileSchema.index({ unattachedSince: 1 });
