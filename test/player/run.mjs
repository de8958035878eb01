import { parseArgs } from 'node:util';
import { Client } from './client.mjs';
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
import { laterScenes as laterPaths, scenes as paths } from './scenes/paths.mjs';
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
  --phase 1|2        1: without Apis and files; 2: with them (2)
  --play main|open|limits|none   which play (main)
  --only TEXT        only scenes with this text in "act: promise"
  --cors-origin URL  one of CORS_ORIGINS: plays CORS too
  --rate-limit N, --login-limit N   as the service has them, for --play limits
  --remember FILE    write down some records after the play
  --recall FILE      after a restart: check what was written down, and nothing else`;

const BASICS = { sessions, tokens, users, passwords, text, organizations, slugs, managers };
const CROSSING = { order, bodies, paths, lists, etags, parser };
const PLAYS = {
  main: ({ phase, 'cors-origin': origin }) => ({
    ...BASICS,
    ...CROSSING,
    ...(phase === '2' ? { apis, files, 'later paths': laterPaths, surroundings } : {}),
    ...(origin ? { cors } : {}),
    'last Admin': lastAdmin,
  }),
  open: () => ({ open }),
  limits: () => ({ limits }),
  none: () => ({}),
};

function readOptions() {
  const text = (name, fallback) => [name, { type: 'string', ...(fallback === undefined ? {} : { default: fallback }) }];
  const named = ['admin', 'password', 'only', 'cors-origin', 'rate-limit', 'login-limit', 'remember', 'recall'].map(
    (name) => text(name),
  );
  const options = Object.fromEntries([
    ...named,
    text('base', 'http://127.0.0.1:3000'),
    text('phase', '2'),
    text('play', 'main'),
  ]);
  const { values } = parseArgs({ options });
  if (!values.admin || !values.password || !PLAYS[values.play]) throw new Error(USAGE);
  return values;
}

async function main() {
  const options = readOptions();
  const client = new Client(options.base);
  const world = await new World(client, options).open();
  const acts = options.recall ? { recall: await recall(options.recall) } : PLAYS[options.play](options);
  const { played, failed } = await play(world, acts, { only: options.only });
  if (options.remember) await remember(world, options.remember, options.phase === '2');
  client.close();
  console.log(`${played} scenes, ${failed.length} failed, ${client.count} requests`);
  for (const title of failed) console.log(`  failed: ${title}`);
  return failed.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
