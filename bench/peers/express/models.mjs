import mongoose from 'mongoose';

const { ObjectId } = mongoose.Schema.Types;
const options = { versionKey: false };

const sessionSchema = new mongoose.Schema({ _id: ObjectId, expiresAt: Date }, { _id: false });

const userSchema = new mongoose.Schema(
  {
    ...{ username: String, companyName: String, email: String, searchText: String },
    roles: [String],
    sessions: [sessionSchema],
    referenceCount: Number,
    createdAt: Date,
    updatedAt: Date,
  },
  { ...options, collection: 'users' },
);

const slugSchema = new mongoose.Schema({ text: String, base: String, index: Number }, { _id: false });
const managerSchema = new mongoose.Schema({ _id: ObjectId, createdBy: ObjectId, createdAt: Date }, { _id: false });

const organizationSchema = new mongoose.Schema(
  {
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    url: { type: String, required: true },
    description: { type: String, default: '' },
    searchText: String,
    slug: slugSchema,
    slugs: [slugSchema],
    managers: [managerSchema],
    featuredApiIds: [ObjectId],
    organizationLogoFileId: { type: ObjectId, default: null },
    createdBy: ObjectId,
    createdAt: Date,
    updatedAt: Date,
    ...{ revision: Number, apiCount: Number, referenceCount: Number },
  },
  { ...options, collection: 'organizations' },
);

export const User = mongoose.model('User', userSchema);
export const Organization = mongoose.model('Organization', organizationSchema);
