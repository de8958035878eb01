/** Loaded into the service by `node --import`: SIGUSR2 starts V8's sampling profiler, and the next one writes the profile. */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

/** Time between two samples (µs). */
const INTERVAL = 500;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
let isOn = false;
process.on('SIGUSR2', async () => {
  isOn = !isOn;
  if (isOn) return session.post('Profiler.start');
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(join(process.env.DATA_DIR, 'profile.json'), JSON.stringify(profile));
});
