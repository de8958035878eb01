import { Global, Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { Settings } from '../../base/settings/settings';
import { DatabaseStart } from '../../records/connection/database-start';
import { Availability } from './guards';
import { mongodbStore, redisStore } from './limiter-stores';
import { Limiters } from './limiters';
import { LoginLimits } from './login-limits';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Creates the limiters in the store that `RATE_LIMIT_STORE` names. */
async function createLimiters(settings: Settings, connection: Connection, start: DatabaseStart): Promise<Limiters> {
  const store = settings.rateLimitStore;
  if (store === 'memory') return new Limiters();
  return new Limiters(store === 'mongodb' ? mongodbStore(connection, start) : await redisStore(store));
}

/** Request and login limits, and overload detection. app.module.ts lists the guards in order. */
@Global()
@Module({
  providers: [
    { provide: Limiters, inject: [Settings, getConnectionToken(), DatabaseStart], useFactory: createLimiters },
    RateLimits,
    LoginLimits,
    Overload,
    Availability,
  ],
  exports: [RateLimits, LoginLimits, Overload, Availability],
})
export class LimitsModule {}
