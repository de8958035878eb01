import { createPeople, withstand } from '../lib/flood.mjs';
import { startService } from '../lib/service.mjs';

export const title = '500 uploads of 1 MB by 20 accounts stop before their last byte';

const CONNECTIONS = 500;
const ACCOUNTS = 20;

/** @param {import('../lib/report.mjs').Context} context */
export async function run(context) {
  const { service } = await startService();
  const names = Array.from({ length: ACCOUNTS }, (_, number) => `attacker-${number}`);
  const [other, ...attackers] = await createPeople(service, ['other', ...names]);
  const orders = { connections: CONNECTIONS, tokens: attackers.map(({ token }) => token) };
  await withstand(context, { service, other, attacker: 'uploads', orders });
}
