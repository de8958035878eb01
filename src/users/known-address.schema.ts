import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** An address that a User logged in from, embedded in the User's record (known-addresses.ts). */
@Schema({ _id: false })
export class KnownAddress {
  /** A keyed hash of the address. */
  @Prop({ type: String, required: true }) hash!: string;
  @Prop({ type: Date, required: true }) lastLoginAt!: Date;
}

export const KnownAddressSchema = SchemaFactory.createForClass(KnownAddress);
