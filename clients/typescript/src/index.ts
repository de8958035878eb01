export type { Result, Schemas } from './calls.ts';
export { type Options, RosterClient } from './client.ts';
export type { Collection, Consumers, NewApi, Saved } from './collection.ts';
export { RosterError } from './error.ts';
export type { Login } from './login.ts';
export type { components, operations, paths } from './schema.ts';
