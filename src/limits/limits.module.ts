import { Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { Settings } from '../config/settings';
import { DatabaseStart } from '../database/database-start';
import { mongodbStore, redisStore } from './limiter-stores';
import { Limiters } from './limiters';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Creates the limiters in the store that `RATE_LIMIT_STORE` names. */
async function createLimiters(settings: Settings, connection?: Connection, start?: DatabaseStart): Promise<Limiters> {
  if (settings.rateLimitStore === 'memory') return new Limiters();
  if (settings.rateLimitStore !== 'mongodb') return new Limiters(await redisStore(settings.rateLimitStore));
  if (!connection || !start) throw new Error('RATE_LIMIT_STORE is mongodb, but there is no database connection.');
  return new Limiters(mongodbStore(connection, start));
}

const optional = (token: string | typeof DatabaseStart) => ({ token, optional: true });

/** Request and login limits, and overload detection. app.module.ts lists the guards in order. */
@Module({
  providers: [
    {
      provide: Limiters,
      inject: [Settings, optional(getConnectionToken()), optional(DatabaseStart)],
      useFactory: createLimiters,
    },
    RateLimits,
    Overload,
  ],
  exports: [RateLimits, Overload],
})
export class LimitsModule {}
