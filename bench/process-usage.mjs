/** What a process uses, from Linux's /proc. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Clock ticks per second, the unit of /proc/<pid>/stat. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** Processes that used no more than this (s) within that time (ms) have nothing left to do. */
const IDLE = { seconds: 0.011, ms: 100 };

/** CPU time of a process in seconds, with all its threads, without its children (proc(5): fields 14 and 15). */
export function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name can contain anything, also `)`. The state, field 3, comes after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Memory in MiB: now, and the most since the start of the process. */
export function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { rss: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}

/** Waits until processes have done what was still in progress when the load ended, at most `limitMs`. */
export async function settled(pids, limitMs = 10_000) {
  const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const deadline = Date.now() + limitMs;
  for (let before = used(); ;) {
    await delay(IDLE.ms);
    const now = used();
    if (now - before <= IDLE.seconds || Date.now() > deadline) return;
    before = now;
  }
}
