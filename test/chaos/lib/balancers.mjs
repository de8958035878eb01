import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from './client.mjs';
import { atEnd } from './cleanup.mjs';
import { temporaryFolder } from './database.mjs';
import { freePort, Program, until } from './processes.mjs';

/** How often a balancer asks `/health/ready` (ms). */
const CHECK_MS = 1000;

/** How the ports of a balancer's instances become its configuration, and how it is started with it. */
const PROGRAMS = {
  haproxy: { command: '/usr/sbin/haproxy', args: (file) => ['-db', '-f', file], config: haproxyConfig },
  nginx: { command: '/usr/sbin/nginx', args: (file) => ['-c', file], config: nginxConfig },
};

/** @type {Record<string, (ports: number[]) => Promise<string>>} start a balancer, and return its address */
export const balancers = {
  haproxy: (ports) => startProgram(PROGRAMS.haproxy, ports),
  nginx: (ports) => startProgram(PROGRAMS.nginx, ports),
  'a TCP balancer': startTcpBalancer,
};

async function startProgram({ command, args, config }, ports) {
  const folder = temporaryFolder();
  const port = await freePort();
  const file = join(folder, 'balancer.conf');
  writeFileSync(file, config(folder, port, ports));
  const program = new Program(command, args(file), { cwd: folder });
  const base = `http://127.0.0.1:${port}`;
  const isUp = async () => (await new Client(base, { keepAlive: false }).get('/health/ready')).status === 200;
  await until(isUp, `${command} is up (${program.output})`);
  return base;
}

function haproxyConfig(_folder, port, ports) {
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

/** Without health checks, which nginx sells: it goes to the next instance when one refuses the connection. */
function nginxConfig(folder, port, ports) {
  const server = (one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`;
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  ${paths.join('\n  ')}
  upstream instances { ${ports.map(server).join(' ')} keepalive 16; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://instances;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
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
