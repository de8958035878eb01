import { ApiSchema } from '@nestjs/swagger';
import { ResponseField } from '../../platform/http/responses/response-fields';
import { PageQueryDto } from '../../platform/http/query/page-query.dto';
import { RecordId } from '../../platform/http/fields/value-fields';
import type { ImageType } from './file.schema';

/** An uploaded image. GET returns its bytes. Languages have another `File`. */
@ApiSchema({ name: 'UploadedFile' })
export class FileDto {
  /** The File's id. @example "65f5f0a2c3d4e5f60718293e" */
  @ResponseField('id') _id!: string;
  /** The name that it was uploaded under, without its path. @example "logo.png" */
  @ResponseField() fileName!: string;
  /** Detected from the content. @example "image/png" */
  @ResponseField() contentType!: ImageType;
  /** In bytes. @example 2048 */
  @ResponseField('integer') size!: number;
  /** The User who uploaded it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When it was uploaded. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** The Organization whose logo it is. @example null */
  @ResponseField('id') organizationId!: string | null;
}

/** The query parameters of the list of Files. */
export class FileQuery extends PageQueryDto {
  /** Only Files that this User uploaded. */
  @RecordId({ filter: true }) createdBy?: string;
}
