import { ResponseField } from './response-fields';

/** The fields that responses show of every record that a User creates. */
export abstract class RecordDto {
  /** The record's id. @example "65f5f0a2c3d4e5f60718293c" */
  @ResponseField('id') _id!: string;
  /** The User who created it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** When something that the record shows last changed. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') updatedAt!: string;
}
