import { failureJson } from '../failure-json';
import type { Fault } from '../faults';

/** The most faults that an answer names (contract §2, Faults). */
const maxFaults = 50;

/** The most characters of a fault's title; a client may choose the names of unknown fields. */
const maxTitle = 100;

/** The most bytes that the faults may take in an answer: 50 titles of 100 emoji would make it larger than the body. */
const maxBytes = 15_000;

/** The faults that an answer names: titles cut, at most 50, the last then ends with the number left out. */
export function reportedFaults(found: readonly Fault[]): Fault[] {
  const reported: Fault[] = [];
  let bytes = 0;
  for (const fault of found.slice(0, maxFaults)) {
    const shown = { ...fault, title: cut(fault.title) };
    bytes += Buffer.byteLength(failureJson(shown)) + 1;
    if (bytes > maxBytes) break;
    reported.push(shown);
  }
  const left = found.length - reported.length;
  const last = reported.at(-1);
  if (left > 0 && last) last.detail += `; more faults left out: ${left}`;
  return reported;
}

/** Cut between characters; half a surrogate pair, which UTF-8 cannot carry, is replaced. */
function cut(title: string): string {
  return Array.from(title.slice(0, 2 * maxTitle))
    .slice(0, maxTitle)
    .join('')
    .replace(/\p{Cs}/gu, '\uFFFD');
}
