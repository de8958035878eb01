import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { ErrorName } from '../../base/errors/api-error';
import type { AnySchema } from '../driver/any-model';
import { StoredRecord } from './record.schema';

/** A slug and how it was made: the base alone for index 0, otherwise `<base>-<index>` (contract §10.5). */
@Schema({ _id: false })
export class Slug {
  @Prop({ type: String, required: true }) text!: string;
  @Prop({ type: String, required: true }) base!: string;
  @Prop({ type: Number, required: true }) index!: number;
}

const SlugSchema = SchemaFactory.createForClass(Slug);

/** A record that slugs find. Its name has the options of `sluggedName`. */
@Schema()
export abstract class SluggedRecord extends StoredRecord {
  @Prop({ type: SlugSchema, required: true, readOnly: true }) slug!: Slug;
  /** All that find the record, the current and the old ones: no other record may have them. */
  @Prop({ type: [SlugSchema], required: true, select: false }) slugs!: Slug[];
}

export type Slugs = Pick<SluggedRecord, 'slug' | 'slugs'>;

/** The options of a name that is unique, and makes the slug. */
export const sluggedName = (slugFallback: string, taken: ErrorName) =>
  ({ type: String, required: true, searched: true, isName: true, keyField: 'nameKey', taken, slugFallback }) as const;

/** Adds the indexes that slugs need to the schema of a `SluggedRecord`. */
export function addSlugIndexes(schema: AnySchema): void {
  schema.index({ 'slugs.text': 1 }, { unique: true });
  schema.index({ 'slug.base': 1, 'slug.index': -1 });
}
