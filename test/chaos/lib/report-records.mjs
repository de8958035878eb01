/** Number of broken records that are named. */
const SHOWN = 5;

/**
 * Reports that nothing that was acknowledged is lost and nothing is half done.
 *
 * @param {import('./report.mjs').Report} report
 * @param {import('./records.mjs').Records} records
 * @param {import('./service.mjs').Service} service
 * @param {string} when completes "lost writes"
 */
export async function reportRecords(report, records, service, when) {
  const { lost, halfDone, refused } = await records.compare(await service.admin());
  const broken = await service.brokenInvariants();
  const count = `${records.acknowledged} acknowledged writes`;
  report.atMost(`lost of ${count} ${when}`, lost.length, 0);
  report.atMost(`writes half done ${when}`, halfDone.length, 0);
  report.atMost(`broken invariants afterwards (npm run check:data)`, broken.length, 0);
  report.atMost(`responses 500 ${when}`, records.unexpected.length, 0);
  for (const line of [...lost, ...halfDone, ...broken, ...records.unexpected].slice(0, SHOWN)) report.note(line);
  if (refused.length > 0) report.note(`Refused and yet done: ${refused.join(', ')}`);
}
