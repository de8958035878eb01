import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { atEnd } from './cleanup.mjs';
import { temporaryFolder } from './database.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { Program, until } from './processes.mjs';

/** Interval of the requests for `/health/ready` (ms). */
const CHECK_MS = 1000;

/** @type {Record<string, (ports: number[]) => Promise<string>>} start a balancer, and return its address */
export const balancers = {
  haproxy: startHaproxy,
  'a TCP balancer': startTcpBalancer,
};

async function startHaproxy(ports) {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, haproxyConfig(port, ports));
  const program = new Program(['-db', '-f', file], {}, folder, 'haproxy');
  const base = `http://127.0.0.1:${port}`;
  const isUp = async () => (await new Client(base, { keepAlive: false }).get('/health/ready')).status === 200;
  await until(isUp, `haproxy is up (${program.errors})`);
  return base;
}

function haproxyConfig(port, ports) {
  const server = (one) => `  server s${one} 127.0.0.1:${one} check inter ${CHECK_MS}ms fall 1 rise 1`;
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
  retries 3
  option redispatch
frontend roster
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
  option httpchk GET /health/ready
${ports.map(server).join('\n')}
`;
}

/** Passes each new connection to the next instance that was ready a moment ago. */
async function startTcpBalancer(ports) {
  let ready = ports;
  let next = 0;
  const check = async () => {
    const isReady = ports.map(async (port) => {
      const health = new Client(`http://127.0.0.1:${port}`, { keepAlive: false });
      return (await health.get('/health/ready')).status === 200;
    });
    const all = await Promise.all(isReady);
    ready = ports.filter((_port, index) => all[index]);
  };
  const timer = setInterval(() => void check(), CHECK_MS);
  const server = createServer((client) => {
    const instance = connect(ready[(next += 1) % ready.length], '127.0.0.1');
    client.on('error', () => instance.destroy()).on('close', () => instance.end());
    instance.on('error', () => client.destroy());
    client.pipe(instance).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    clearInterval(timer);
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}
