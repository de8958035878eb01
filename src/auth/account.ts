import type { Types } from 'mongoose';

/** The account behind a request. */
export interface Account {
  readonly _id: Types.ObjectId;
  readonly isAdmin: boolean;
  /** The session of the access token. */
  readonly sessionId: Types.ObjectId;
}
