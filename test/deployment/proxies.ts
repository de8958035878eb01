import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../scripts/lib/free-port.mjs';
import { Program } from '../support/program.mjs';
import { testFolder } from '../support/run-folder';

/** A proxy with TLS. */
export interface Proxy {
  readonly origin: string;
  /** Its certificate, which is its own authority. */
  readonly ca: string;
  stop(): Promise<unknown>;
}

/** Starts a proxy with its example of examples, before these two instances. */
type StartProxy = (ports: readonly number[]) => Promise<Proxy>;

export const PROXIES: Readonly<Record<string, StartProxy>> = {
  nginx: (ports) => start('nginx.conf', ports, runNginx),
  haproxy: (ports) => start('haproxy.cfg', ports, runHaproxy),
};

async function start(example: string, ports: readonly number[], run: typeof runNginx): Promise<Proxy> {
  const folder = testFolder();
  const port = await freePort();
  const ca = makeCertificate(folder);
  const file = join(folder, example);
  // The example with other ports and files.
  const changes = [
    ['/etc/ssl/', `${folder}/`],
    ['listen 443', `listen 127.0.0.1:${port}`],
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['127.0.0.1:3000', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${ports[1]}`],
  ] as const;
  const text = readFileSync(join(__dirname, '../../examples', example), 'utf8');
  writeFileSync(
    file,
    changes.reduce((result, [from, to]) => result.replaceAll(from, to), text),
  );
  const server = run(folder, file);
  return { origin: `https://127.0.0.1:${port}`, ca, stop: () => server.stop() };
}

function makeCertificate(folder: string): string {
  const [crt, key] = [join(folder, 'roster.crt'), join(folder, 'roster.key')];
  const name = ['-subj', '/CN=roster.example', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...name, '-keyout', key, '-out', crt];
  execFileSync('openssl', ['req', ...options], { stdio: 'ignore' });
  const certificate = readFileSync(crt, 'utf8');
  writeFileSync(join(folder, 'roster.pem'), certificate + readFileSync(key, 'utf8'));
  return certificate;
}

function runNginx(folder: string, file: string): Program {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const main = join(folder, 'main.conf');
  writeFileSync(
    main,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr;${process.getuid?.() === 0 ? ' user root;' : ''}
    events {}
    http { access_log off; ${temporary.join(' ')} include ${file}; }`,
  );
  return new Program(['-p', folder, '-c', main], {}, folder, 'nginx');
}

function runHaproxy(folder: string, file: string): Program {
  return new Program(['-db', '-f', file], {}, folder, 'haproxy');
}
