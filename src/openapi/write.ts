import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module';
import { createAdapter } from '../http/edge/adapter';
import { settingsFrom } from '../load-settings';
import { openApiDocument } from './document';
import { errorsPage } from './errors-page';
import { DOCUMENT_FILE } from './document-file';

const ERRORS_FILE = join(dirname(DOCUMENT_FILE), 'docs/errors.md');

/** What the service needs to be assembled; it is never started, so nothing is reached or listened on. */
const ENVIRONMENT = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  MONGODB_URI: 'mongodb://127.0.0.1:9/unused',
  JWT_SECRET: 'unused'.repeat(8),
  DATA_DIR: tmpdir(),
};

/**
 * The last step of `npm run build`: writes openapi.json and docs/errors.md. With `--check` it writes nothing and fails
 * where the files in place are others: for `npm run check` and CI.
 */
async function main(check: boolean): Promise<void> {
  const settings = settingsFrom(ENVIRONMENT);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(settings), createAdapter(settings), {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  const texts = new Map([
    [DOCUMENT_FILE, `${JSON.stringify(openApiDocument(app), null, 2)}\n`],
    [ERRORS_FILE, errorsPage()],
  ]);
  for (const [file, text] of texts) (check ? compare : write)(file, text);
}

function write(file: string, text: string): void {
  if (read(file) === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function compare(file: string, text: string): void {
  if (read(file) !== text)
    throw new Error(`${basename(file)} is not what the code says: run "npm run build" and commit it.`);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

// Exits at once: the assembled service holds timers and sockets of its own.
main(process.argv.includes('--check')).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
