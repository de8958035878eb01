import { Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { Connection } from 'mongoose';
import { Settings } from '../config/settings';
import { Counters } from './counters';
import { Overload } from './overload';
import { RateLimits } from './rate-limits';

/** Limits on requests and logins, and what turns requests away; the guards themselves are named in app.module.ts. */
@Module({
  providers: [
    {
      provide: Counters,
      inject: [Settings, { token: getConnectionToken(), optional: true }],
      useFactory: (settings: Settings, connection?: Connection) => new Counters(settings, connection),
    },
    RateLimits,
    Overload,
  ],
  exports: [RateLimits, Overload],
})
export class LimitsModule {}
