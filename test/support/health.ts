import { Controller, Get, Global, Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { SettingsModule } from '../../src/config/settings.module';
import { PoolUsage } from '../../src/database/client-events';
import { DatabaseStart } from '../../src/database/database-start';
import { Transactions } from '../../src/database/transactions';
import { ApiExceptionFilter } from '../../src/errors/api-exception.filter';
import { HealthModule } from '../../src/health/health.module';
import { reportEnd } from '../../src/http/request-end';
import { settingsWith } from './settings';

/** Results of `DatabaseStart` and of the driver. */
export class Database {
  unmetCondition: DatabaseStart['unmetCondition'] = undefined;
  missingIndexes = 0;
  write = (): Promise<unknown> => Promise.resolve();
}

/** A request that takes until the test ends it. */
export class SlowRequest {
  readonly arrived: Promise<void>;
  readonly ended: Promise<void>;
  arrive!: () => void;
  end!: () => void;

  constructor() {
    this.arrived = new Promise((resolve) => (this.arrive = resolve));
    this.ended = new Promise((resolve) => (this.end = resolve));
  }
}

@Controller('slow')
class SlowController {
  constructor(private readonly request: SlowRequest) {}

  @Get(':id')
  async slow(): Promise<string> {
    this.request.arrive();
    await this.request.ended;
    return 'done';
  }
}

/** An application of nothing but health and the route `/slow/:id`. */
export async function startHealth(
  env: NodeJS.ProcessEnv = {},
  database = new Database(),
  models: object = {},
): Promise<NestFastifyApplication> {
  const settings = settingsWith(env);
  const connection = { collection: () => ({ updateOne: () => database.write() }), models };
  const providers = [
    { provide: DatabaseStart, useValue: database },
    { provide: getConnectionToken(), useValue: connection },
    { provide: PoolUsage, useValue: { open: 0, inUse: 0, waiting: 0 } },
    { provide: Transactions, useValue: { counts: { committed: 0, rolledBack: 0, retries: 0 } } },
    SlowRequest,
  ];

  @Global()
  @Module({ providers, exports: providers })
  class DatabaseModule {}

  const module = await Test.createTestingModule({
    imports: [SettingsModule.forRoot(settings), DatabaseModule, HealthModule.forRoot(settings)],
    controllers: [SlowController],
  }).compile();
  const adapter = new FastifyAdapter({ return503OnClosing: false });
  adapter.getInstance().addHook('onRequest', reportEnd(adapter.getInstance()));
  const app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: false });
  app.setGlobalPrefix(settings.basePath);
  app.useGlobalFilters(new ApiExceptionFilter());
  return app.init();
}
