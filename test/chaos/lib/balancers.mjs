import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { temporaryFolder } from './database.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { Program, until } from './processes.mjs';

/** Interval of the requests for `/health/ready` (ms). */
const CHECK_MS = 1000;

/** @type {Record<string, (ports: number[]) => Promise<string>>} start a balancer, and return its address */
export const balancers = {
  haproxy: (ports) => start('http', 3, ports),
  // Passes on connections, and tries no other instance when one refuses.
  'a TCP balancer': (ports) => start('tcp', 0, ports),
};

async function start(mode, retries, ports) {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, haproxyConfig(mode, retries, port, ports));
  const program = new Program(['-db', '-f', file], {}, folder, 'haproxy');
  const base = `http://127.0.0.1:${port}`;
  const isUp = async () => (await new Client(base, { keepAlive: false }).get('/health/ready')).status === 200;
  await until(isUp, `haproxy is up (${program.errors})`);
  return base;
}

function haproxyConfig(mode, retries, port, ports) {
  const server = (one) => `  server s${one} 127.0.0.1:${one} check inter ${CHECK_MS}ms fall 2 rise 1`;
  return `
defaults
  mode ${mode}
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
  retries ${retries}
  option redispatch
frontend roster
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
  option httpchk GET /health/ready
${ports.map(server).join('\n')}
`;
}
