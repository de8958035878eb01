import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Settings } from '../config/settings';

export async function serveDocs(_app: NestFastifyApplication, _settings: Settings): Promise<void> {
  return Promise.resolve();
}
