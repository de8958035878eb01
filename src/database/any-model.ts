/* eslint-disable @typescript-eslint/no-explicit-any -- mongoose's types do not let one function take several Models otherwise */
import type { Model, Schema } from 'mongoose';

/** A Model of any records. */
export type AnyModel = Model<any>;

/** A schema of any records. */
export type AnySchema = Schema<any, any, any, any, any, any, any, any, any, any, any>;
