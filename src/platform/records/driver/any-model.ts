/* eslint-disable @typescript-eslint/no-explicit-any -- otherwise mongoose's types do not accept several Models */
import type { Model, Schema } from 'mongoose';

export type AnyModel = Model<any>;
export type AnySchema = Schema<any, any, any, any, any, any, any, any, any, any, any>;
export type SchemaOf<R> = Schema<R, any, any, any, any, any, any, any, any, any, any>;
