import { multipart, png } from '../../player/images.mjs';
import { Database } from '../lib/database.mjs';
import { createPeople, withstand } from '../lib/flood.mjs';
import { Service } from '../lib/service.mjs';

export const title = '500 connections are slow, silent, or do not read their responses';

const CONNECTIONS = 500;
/** What the third kind asks for (bytes). */
const LARGE = 1_000_000;

/** @param {import('../lib/context.mjs').Context} context */
export async function run(context) {
  const database = await Database.start();
  const service = await Service.start(database.uri);
  const [other, attacker] = await createPeople(service, ['other', 'attacker']);
  const part = { name: 'file', fileName: 'large.png', type: 'image/png', data: png(1, 1, LARGE) };
  const { body, headers } = multipart([part]);
  const file = await attacker.send('POST', '/files', body, { 'Content-Type': headers['content-type'] });
  const orders = { connections: CONNECTIONS, token: attacker.token, large: `/files/${file.body.data._id}` };
  await withstand(context, { service, other, attacker: 'slow-connections', orders });
}
