import { ApiProperty } from '@nestjs/swagger';
import { File, IMAGE_TYPES, type ImageType } from './file.schema';

/** An uploaded image. Its bytes are what GET gives. */
export class FileDto implements Pick<File, 'fileName' | 'contentType' | 'size'> {
  /** @example "65f5f0a2c3d4e5f60718293e" */
  _id!: string;
  /** The name that it was uploaded under, without its path. @example "logo.png" */
  fileName!: string;
  /** What it is by its content. @example "image/png" */
  @ApiProperty({ type: String, enum: IMAGE_TYPES })
  contentType!: ImageType;
  /** In bytes. @example 2048 */
  size!: number;
  /** The User who uploaded it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  createdBy!: string;
  /** @example "2026-03-16T19:07:54.575Z" */
  createdAt!: string;
  /** The Organization whose logo it is. @example null */
  organizationId!: string | null;
}

/** The fields of a stored File that answers and writes need; its bytes are not among them. */
export const SHOWN_FILE = {
  fileName: 1,
  contentType: 1,
  size: 1,
  organizationId: 1,
  createdBy: 1,
  createdAt: 1,
  revision: 1,
} as const;

/** A File as guards find it, services judge it and `toFile` shows it. */
export type FileRecord = Pick<File, '_id' | keyof typeof SHOWN_FILE>;

/** A File as an answer shows it. */
export function toFile(file: FileRecord): FileDto {
  return {
    _id: file._id.toHexString(),
    fileName: file.fileName,
    contentType: file.contentType,
    size: file.size,
    createdBy: file.createdBy.toHexString(),
    createdAt: file.createdAt.toISOString(),
    organizationId: file.organizationId?.toHexString() ?? null,
  };
}
