/**
 * Context of a scenario.
 *
 * @typedef {object} Context
 * @property {import('./report.mjs').Report} report
 * @property {(count: number) => number} times scales a count by `CHAOS_SCALE`; at least 1
 */

/** `CHAOS_SCALE=0.1` runs a tenth of each scenario's kills, restarts and seconds, to try it out. */
const SCALE = Number(process.env.CHAOS_SCALE ?? '1');

/**
 * @param {import('./report.mjs').Report} report
 * @returns {Context}
 */
export function contextOf(report) {
  return { report, times: (count) => Math.max(1, Math.round(count * SCALE)) };
}
