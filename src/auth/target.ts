import type { Types } from 'mongoose';
import type { ErrorName } from '../errors/api-error';

/** A record that a path names, and what the access rules ask of it. */
export interface Found<R = unknown> {
  readonly record: R;
  /** The user whose record it is. */
  readonly ownerId?: Types.ObjectId;
  /** The managers of the Organization it is or belongs to. */
  readonly managerIds?: readonly Types.ObjectId[];
  /** Whether every account may see it. */
  readonly isPublic?: boolean;
}

/** How a piece of a path, `organizations/:id`, becomes a record. Each resource registers its own with `Targets`. */
export interface TargetFinder<R = unknown> {
  /** The plural noun and the parameter: `organizations/:id`. */
  readonly segment: string;
  /** The failure of a request that names none (contract §5). */
  readonly failure: ErrorName;
  /**
   * Finds the record, by reading from the database or in the record that the path names before it.
   *
   * @param id 24 lower-case hexadecimal digits; any other text is judged before
   * @param parent what the path names before this piece
   */
  find(id: string, parent: Found | undefined): Promise<Found<R> | undefined>;
}
