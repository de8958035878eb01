import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** A slug and how it was made: the base alone for index 0, `<base>-<index>` otherwise (contract §3 Slugs). */
@Schema({ _id: false })
export class Slug {
  @Prop({ type: String, required: true }) text!: string;
  @Prop({ type: String, required: true }) base!: string;
  @Prop({ type: Number, required: true }) index!: number;
}

/** Embedded in Organizations and Apis, whose schemas make `slugs.text` unique. */
export const SlugSchema = SchemaFactory.createForClass(Slug);
