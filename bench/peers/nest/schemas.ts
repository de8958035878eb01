import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';

@Schema({ _id: false })
export class Session {
  @Prop({ type: SchemaTypes.ObjectId }) _id!: Types.ObjectId;
  @Prop() expiresAt!: Date;
}

@Schema({ collection: 'users', versionKey: false })
export class User {
  @Prop() username!: string;
  @Prop() companyName!: string;
  @Prop() email!: string;
  @Prop() searchText!: string;
  @Prop([String]) roles!: string[];
  @Prop([SchemaFactory.createForClass(Session)]) sessions!: Session[];
  @Prop() referenceCount!: number;
  @Prop() createdAt!: Date;
  @Prop() updatedAt!: Date;
}

export const UserSchema = SchemaFactory.createForClass(User);

@Schema({ _id: false })
export class Slug {
  @Prop() text!: string;
  @Prop() base!: string;
  @Prop() index!: number;
}

const SlugSchema = SchemaFactory.createForClass(Slug);

@Schema({ _id: false })
export class Manager {
  @Prop({ type: SchemaTypes.ObjectId }) _id!: Types.ObjectId;
  @Prop({ type: SchemaTypes.ObjectId }) createdBy!: Types.ObjectId;
  @Prop() createdAt!: Date;
}

@Schema({ collection: 'organizations', versionKey: false })
export class Organization {
  @Prop({ required: true }) name!: string;
  @Prop({ required: true }) nameKey!: string;
  @Prop({ required: true }) url!: string;
  @Prop({ default: '' }) description!: string;
  @Prop() searchText!: string;
  @Prop({ type: SlugSchema }) slug!: Slug;
  @Prop([SlugSchema]) slugs!: Slug[];
  @Prop([SchemaFactory.createForClass(Manager)]) managers!: Manager[];
  @Prop([SchemaTypes.ObjectId]) featuredApiIds!: Types.ObjectId[];
  @Prop({ type: SchemaTypes.ObjectId, default: null }) organizationLogoFileId!: Types.ObjectId | null;
  @Prop({ type: SchemaTypes.ObjectId }) createdBy!: Types.ObjectId;
  @Prop() createdAt!: Date;
  @Prop() updatedAt!: Date;
  @Prop() revision!: number;
  @Prop() apiCount!: number;
  @Prop() referenceCount!: number;
}

@Schema({ collection: 'events', versionKey: false })
export class Event {
  @Prop() type!: string;
  @Prop({ type: SchemaTypes.ObjectId }) resourceId!: Types.ObjectId;
  @Prop() resourceName!: string;
  @Prop({ type: SchemaTypes.ObjectId }) organizationId!: Types.ObjectId;
  @Prop({ type: SchemaTypes.ObjectId, default: null }) userId!: Types.ObjectId | null;
  @Prop({ type: SchemaTypes.ObjectId }) actorId!: Types.ObjectId;
  @Prop() actorUsername!: string;
  @Prop({ type: SchemaTypes.ObjectId, default: null }) apiKeyId!: null;
  @Prop([SchemaTypes.Mixed]) changes!: object[];
  @Prop() requestId!: string;
  @Prop() createdAt!: Date;
}

export const EventSchema = SchemaFactory.createForClass(Event);
export const OrganizationSchema = SchemaFactory.createForClass(Organization);
