/** A reporter of `node --test`: how many tests passed and failed, as JSON. */
export default async function* counts(events) {
  for await (const { type, data } of events) {
    // Each file has a summary too.
    if (type !== 'test:summary' || data.file) continue;
    const { passed, failed, cancelled } = data.counts;
    yield JSON.stringify({ passed, failed: failed + cancelled });
  }
}
