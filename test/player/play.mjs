/**
 * @typedef {import('./world.mjs').World} World
 * @typedef {readonly [promise: string, play: (world: World) => Promise<unknown>]} Scene a promise of the contract, in
 * short, and the play that shows it
 */

/**
 * Plays scenes one after another and prints one line for each.
 * @param {World} world
 * @param {Record<string, readonly Scene[]>} acts scenes by resource
 * @param {{only?: string, print?: (line: string) => void}} [options] `only`: part of `act: promise`
 * @returns {Promise<{played: number, failed: string[]}>}
 */
export async function play(world, acts, { only = '', print = console.log } = {}) {
  const failed = [];
  let played = 0;
  for (const [act, scenes] of Object.entries(acts)) {
    for (const [promise, scene] of scenes) {
      const title = `${act}: ${promise}`;
      if (!title.includes(only)) continue;
      played += 1;
      const trouble = await attempt(world, scene);
      print(trouble === undefined ? `ok    ${title}` : `FAIL  ${title}\n${trouble}`);
      if (trouble !== undefined) failed.push(title);
    }
  }
  return { played, failed };
}

async function attempt(world, scene) {
  try {
    world.client.last = undefined;
    await scene(world);
    return undefined;
  } catch (error) {
    return indented(`${error.message}\n${lastAnswer(world.client.last)}${placeOf(error)}`);
  }
}

function lastAnswer(last) {
  if (!last) return '';
  const headers = ['etag', 'link', 'allow', 'location', 'cache-control', 'content-type'];
  const shown = headers.filter((name) => last.headers[name]).map((name) => `${name}: ${last.headers[name]}`);
  return `last: ${last.method} ${last.path.slice(0, 200)} → ${last.status} {${shown.join('; ')}} ${last.text.slice(0, 500)}\n`;
}

function placeOf(error) {
  const line = (error.stack ?? '').split('\n').find((entry) => entry.includes('/scenes/'));
  return line ? line.trim().replace(/^at .*\/scenes\//, 'at scenes/') : '';
}

const indented = (text) => text.trimEnd().replaceAll(/^/gm, '        ');
