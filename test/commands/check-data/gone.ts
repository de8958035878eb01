import { Types } from 'mongoose';

/** An id of no record. */
export const GONE = 'f'.repeat(24);
export const GONE_ID = new Types.ObjectId(GONE);
