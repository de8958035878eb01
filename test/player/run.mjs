import { parseArgs } from 'node:util';
import { play } from './play.mjs';
import { recall, remember } from './remember.mjs';
import { scenes as apis } from './scenes/apis.mjs';
import { scenes as bodies } from './scenes/bodies.mjs';
import { scenes as etags } from './scenes/etags.mjs';
import { scenes as files } from './scenes/files.mjs';
import { scenes as lists } from './scenes/lists.mjs';
import { scenes as managers } from './scenes/managers.mjs';
import { scenes as order } from './scenes/order.mjs';
import { scenes as organizations } from './scenes/organizations.mjs';
import { scenes as parser } from './scenes/parser.mjs';
import { lastScenes as lastAdmin, scenes as passwords } from './scenes/passwords.mjs';
import { scenes as paths } from './scenes/paths.mjs';
import { scenes as sessions } from './scenes/sessions.mjs';
import { limitScenes as limits, openScenes as open } from './scenes/settings.mjs';
import { scenes as slugs } from './scenes/slugs.mjs';
import { corsScenes as cors, scenes as surroundings } from './scenes/surroundings.mjs';
import { scenes as text } from './scenes/text.mjs';
import { scenes as tokens } from './scenes/tokens.mjs';
import { scenes as users } from './scenes/users.mjs';
import { World } from './world.mjs';

const USAGE = `node test/player/run.mjs --admin NAME --password WORD [options]
  --base URL         where the service is (http://127.0.0.1:3000)
  --play main|open|limits   which play (main)
  --only TEXT        only scenes with this text in "act: promise"
  --cors-origin URL  one of CORS_ORIGINS: plays CORS too
  --login-limit N, --rate-limit N, --organization-limit N, --registration-limit N
                     as the service has them, for --play limits
  --remember FILE    write some records to FILE after the play
  --recall FILE      after a restart: check what was written, and nothing else`;

const RESOURCES = { sessions, users, passwords, text, organizations, slugs, managers, apis, files };
const COMMON = { order, bodies, paths, lists, etags, parser, surroundings };

/** Groups of acts. Those of one group are played at the same time, as `tokens` mostly waits. */
const PLAYS = {
  main: ({ 'cors-origin': origin }) => [
    [{ tokens }, { ...RESOURCES, ...COMMON, ...(origin && { cors }) }],
    [{ lastAdmin }],
  ],
  open: () => [[{ open }]],
  limits: () => [[{ limits }]],
};

function readOptions() {
  const limits = ['rate-limit', 'login-limit', 'organization-limit', 'registration-limit'];
  const names = ['admin', 'password', 'only', 'cors-origin', ...limits, 'remember', 'recall'];
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      base: { type: 'string', default: 'http://127.0.0.1:3000' },
      play: { type: 'string', default: 'main' },
      help: { type: 'boolean' },
    },
  });
  if (values.help || !values.admin || !values.password || !PLAYS[values.play]) throw new Error(USAGE);
  return values;
}

async function main() {
  const options = readOptions();
  const groups = options.recall ? [[{ recall: await recall(options.recall) }]] : PLAYS[options.play](options);
  const results = [];
  let requests = 0;
  for (const group of groups) {
    const worlds = await Promise.all(group.map(() => new World(options).open()));
    results.push(...(await Promise.all(group.map((acts, index) => play(worlds[index], acts, options.only)))).flat());
    for (const { client } of worlds) {
      requests += client.count;
      client.close();
    }
  }
  const failed = results.filter(({ trouble }) => trouble !== undefined);
  console.log(`${results.length} scenes, ${failed.length} failed, ${requests} requests`);
  for (const { title } of failed) console.log(`  failed: ${title}`);
  if (options.remember) await remember(options);
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
