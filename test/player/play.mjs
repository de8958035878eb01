/**
 * @typedef {import('./world.mjs').World} World
 * @typedef {Record<string, (world: World) => Promise<unknown>>} Scenes each shows a promise of the contract, its title
 */

/**
 * Plays scenes one after another and prints one line for each.
 * @param {World} world
 * @param {Record<string, Scenes>} acts scenes by subject
 * @param {string} [only] part of `act: promise`
 * @returns {Promise<{title: string, trouble: string | undefined}[]>}
 */
export async function play(world, acts, only = '') {
  const played = [];
  const titled = ([act, scenes]) => Object.entries(scenes).map(([promise, scene]) => [`${act}: ${promise}`, scene]);
  for (const [title, scene] of Object.entries(acts).flatMap(titled)) {
    if (!title.includes(only)) continue;
    const trouble = await attempt(world, scene);
    console.log(trouble === undefined ? `ok    ${title}` : `FAIL  ${title}\n${trouble}`);
    played.push({ title, trouble });
  }
  return played;
}

async function attempt(world, scene) {
  try {
    world.client.last = undefined;
    await scene(world);
    return undefined;
  } catch (error) {
    return indented(`${error.message}\n${lastResponse(world.client.last)}${placeOf(error)}`);
  }
}

function lastResponse(last) {
  if (!last) return '';
  const headers = ['etag', 'link', 'allow', 'location', 'cache-control', 'content-type'];
  const shown = headers.filter((name) => last.headers[name]).map((name) => `${name}: ${last.headers[name]}`);
  const request = `${last.method} ${last.path.slice(0, 200)}`;
  return `last: ${request} → ${last.status} {${shown.join('; ')}} ${last.text.slice(0, 500)}\n`;
}

function placeOf(error) {
  const line = (error.stack ?? '').split('\n').find((entry) => entry.includes('/scenes/'));
  return line ? line.trim().replace(/^at .*\/scenes\//, 'at scenes/') : '';
}

const indented = (text) => text.trimEnd().replaceAll(/^/gm, '        ');
