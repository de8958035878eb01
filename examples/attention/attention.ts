/**
 * Lists what needs attention in Roster, by Organization: in those that the User of the key manages; of an Admin, in all.
 * The exit code is 0 if there is nothing, 1 if there is something, and 2 if that cannot be said. See README.md.
 */
import { env } from 'node:process';
import { RosterClient } from '../../clients/typescript/dist/index.js';
import { needsAttention } from './needs-attention.ts';

const { ROSTER: baseUrl = 'http://127.0.0.1:3000', ROSTER_KEY: key = '' } = env;
try {
  if (!/^roster_[0-9a-z]{49}$/i.test(key)) throw new Error('ROSTER_KEY must be an API key (roster_…).');
  const findings = await needsAttention(new RosterClient({ baseUrl, key, retries: 10 }));
  const linesOf = new Map<string, string[]>(findings.map(({ organization }) => [organization, []]));
  for (const { organization, api, reason } of findings)
    linesOf.get(organization)?.push(`  ${api === null ? '' : `${api}: `}${reason}\n`);
  for (const [name, lines] of [...linesOf].sort()) process.stdout.write(`${name}\n${lines.sort().join('')}`);
  process.exitCode = findings.length > 0 ? 1 : 0;
} catch (error) {
  const { message, cause } = error as Error;
  console.error(cause instanceof Error ? `${message} (${cause.message})` : message);
  process.exitCode = 2;
}
