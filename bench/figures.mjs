/** Medians and ratios. */

/** @param {number[]} values @returns {number} */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Roster's figure divided by a peer's, round by round.
 *
 * @param {import('./measure.mjs').Rounds} rounds
 * @param {string} peer
 * @param {'cpu' | 'rps' | 'p50'} figure
 * @returns {{median: number, min: number, max: number}}
 */
export function ratio(rounds, peer, figure) {
  const ratios = rounds.roster.map((own, round) => own[figure] / rounds[peer][round][figure]);
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
}

/**
 * The line that `--json` ends with: Roster's CPU per request and requests per second as ratios to each peer.
 *
 * @param {Record<string, import('./measure.mjs').Rounds>} loaded
 */
export function toJson(loaded) {
  const cases = Object.entries(loaded).map(([name, rounds]) => {
    const peers = Object.keys(rounds).filter((service) => service !== 'roster');
    const ratios = (figure) =>
      Object.fromEntries(peers.map((peer) => [peer, Number(ratio(rounds, peer, figure).median.toFixed(3))]));
    return { name, cpuRatio: ratios('cpu'), rpsRatio: ratios('rps') };
  });
  return JSON.stringify({ cases });
}
