import { Global, Module } from '@nestjs/common';
import { Settings } from '../../base/settings/settings';
import { redisStore } from './limiter-stores';
import { Limiters } from './limiters';
import { LoginLimits } from './login-limits';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Creates the limiters in the store that `RATE_LIMIT_STORE` names. */
async function createLimiters({ rateLimitStore: store }: Settings): Promise<Limiters> {
  return new Limiters(store === 'memory' ? undefined : await redisStore(store));
}

/** Request and login limits, and overload detection. app.module.ts lists the guards in order. */
@Global()
@Module({
  providers: [{ provide: Limiters, inject: [Settings], useFactory: createLimiters }, RateLimits, LoginLimits, Overload],
  exports: [RateLimits, LoginLimits, Overload],
})
export class LimitsModule {}
