import { say } from '../../../scripts/lib/steps.mjs';

/** @type {(() => unknown)[]} */
const pending = [];

/**
 * Remembers what must be undone when the scenario ends, also when it fails or is interrupted.
 *
 * @param {() => unknown} undo may be called after what it undoes has ended by itself
 */
export function atEnd(undo) {
  pending.push(undo);
}

/** Undoes everything, the latest first. A step that fails does not hold up the others. */
export async function cleanUp() {
  while (pending.length > 0) {
    try {
      await pending.pop()();
    } catch (error) {
      say(`✖ Cleaning up: ${error.message}`);
    }
  }
}
