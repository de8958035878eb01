/* eslint-disable @typescript-eslint/no-explicit-any -- otherwise mongoose's types do not accept several Models */
import type { Model, Schema } from 'mongoose';

/** A Model of any records. */
export type AnyModel = Model<any>;
/** A schema of any records. */
export type AnySchema = Schema<any, any, any, any, any, any, any, any, any, any, any>;

/** The schema of these records. */
export type SchemaOf<R> = Schema<R, any, any, any, any, any, any, any, any, any, any>;
