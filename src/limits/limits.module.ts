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
async function createLimiters(
  { rateLimitStore }: Settings,
  connection: Connection,
  start: DatabaseStart,
): Promise<Limiters> {
  if (rateLimitStore === 'memory') return new Limiters();
  const shared = rateLimitStore === 'mongodb' ? mongodbStore(connection, start) : await redisStore(rateLimitStore);
  return new Limiters(shared);
}

/** Request and login limits, and overload detection. app.module.ts lists the guards in order. */
@Module({
  providers: [
    { provide: Limiters, inject: [Settings, getConnectionToken(), DatabaseStart], useFactory: createLimiters },
    RateLimits,
    Overload,
  ],
  exports: [RateLimits, Overload],
})
export class LimitsModule {}
