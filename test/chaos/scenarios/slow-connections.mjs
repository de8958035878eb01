import { filePart, form, FORM_TYPE, png } from '../../support/uploads.mjs';
import { createPeople, withstand } from '../lib/flood.mjs';
import { startService } from '../lib/programs.mjs';

export const title = '500 connections are slow, silent, or do not read their responses';

const CONNECTIONS = 500;
/** Size of the File that the third kind requests (bytes). */
const LARGE = 1_000_000;

export async function run(context) {
  const { service } = await startService();
  const [other, attacker] = await createPeople(service, ['other', 'attacker']);
  const file = await attacker.send('POST', '/files', form(filePart(png(1, 1, LARGE))), FORM_TYPE);
  const orders = { connections: CONNECTIONS, token: attacker.token, large: `/files/${file.body.data._id}` };
  await withstand(context, { service, other, attacker: 'slow', orders });
}
