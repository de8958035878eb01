import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module';
import { createAdapter } from '../http/edge/adapter';
import { settingsFrom } from '../start/load-settings';
import { openApiDocument } from './document';
import { errorsMarkdown } from './errors-page';
import { DOCUMENT_FILE } from './serve-docs';

const ERRORS_FILE = join(dirname(DOCUMENT_FILE), 'docs/errors.md');

/** Settings to assemble the service with. It is never started: it connects to nothing and does not listen. */
const ENVIRONMENT = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  MONGODB_URI: 'mongodb://127.0.0.1:9/unused',
  JWT_SECRET: 'unused'.repeat(8),
  DATA_DIR: tmpdir(),
};

/**
 * The last step of `npm run build`: writes openapi.json and docs/errors.md. With `--check` (`npm run check`, CI) it
 * writes nothing, and fails if a file is out of date.
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
    [ERRORS_FILE, errorsMarkdown()],
  ]);
  for (const [file, text] of texts) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    if (check) throw new Error(`${basename(file)} is out of date: run "npm run build" and commit it.`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

// Exits at once: the assembled service has timers and sockets of its own.
main(process.argv.includes('--check')).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
