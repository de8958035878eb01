import { ApiError } from '../../base/errors/api-error';
import { isDuplicateKey, isWriteConflict } from '../driver/database-errors';

/**
 * Another request changed the record, or took a unique value, since this one read it. Only the write loop catches it:
 * it rolls back and runs the handler again.
 */
export class LostRace extends ApiError {
  /** @param record the id of the record that could not be written */
  constructor(
    override readonly cause?: unknown,
    readonly record?: string,
  ) {
    super('concurrentChange');
  }
}

/** A write waited for its first turn, so what it has checked may be old: its handler runs again. No attempt was lost. */
export class Waited extends LostRace {}

/** The race that an error of a command means; undefined for any other error. */
export function lostRaceOf(error: unknown): LostRace | undefined {
  if (error instanceof LostRace) return error;
  return isWriteConflict(error) || isDuplicateKey(error) ? new LostRace(error) : undefined;
}

/** @throws LostRace when the error means that another write got this record first; any other unchanged */
export function throwLost(error: unknown, record: unknown): never {
  throw lostRaceOf(error) ? new LostRace(error, record?.toString()) : error;
}
