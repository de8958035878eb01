import { DynamicModule, Module, Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { ConnectOptions } from 'mongoose';
import { AccountGuard } from './platform/http/access/account.guard';
import { AuthModule } from './platform/http/access/auth.module';
import { ResourceGuard } from './platform/http/access/resource.guard';
import { OperationInterceptor } from './platform/http/operation.interceptor';
import { ApiCatalogController } from './registry/apis/api-catalog.controller';
import { rules } from './registry/access-rules';
import { errors } from './registry/errors';
import { resources } from './registry/resources';
import { defineErrors } from './platform/base/errors/api-error';
import { defineAccessRules } from './platform/http/access/access-rules';
import { Settings } from './platform/base/settings/settings';
import { SettingsModule } from './platform/base/settings/settings.module';
import { DatabaseModule } from './platform/records/start/database.module';
import { HealthModule } from './platform/operations/health/health.module';
import { ApiExceptionFilter } from './platform/http/responses/api-exception.filter';
import { QueryGuard } from './platform/http/query/query.guard';
import { RequestValidationPipe } from './platform/http/validation.pipe';
import { AccountLimitGuard } from './platform/operations/limits/guards';
import { LimitsModule } from './platform/operations/limits/limits.module';
import { LoggingModule } from './platform/operations/logging/logging.module';

/**
 * The order of checks (contract §1.1): the first one that fails ends the request. Before these come the hooks of
 * src/platform/http/edge/request-hooks.ts.
 */
const checks: Provider[] = [
  { provide: APP_GUARD, useClass: AccountGuard }, //      401, 403 suspended
  { provide: APP_GUARD, useClass: AccountLimitGuard }, // 429 requests of an account
  { provide: APP_GUARD, useClass: ResourceGuard }, //     404 what the path names, 403
  { provide: APP_GUARD, useClass: QueryGuard }, //        400 query of an operation that takes none
  { provide: APP_INTERCEPTOR, useClass: OperationInterceptor }, // transaction: what follows may run again; response
  { provide: APP_PIPE, useClass: RequestValidationPipe }, // 400 query; 415, 400 body and content
  { provide: APP_FILTER, useClass: ApiExceptionFilter }, //    turns every error into a response
];

/** The application module. */
@Module({})
export class AppModule {
  /**
   * The whole service with these settings.
   * @param driver options of the driver, for a command or a test
   */
  static forRoot(settings: Settings, driver: ConnectOptions = {}): DynamicModule {
    defineErrors(errors);
    defineAccessRules(rules);
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(settings),
        LoggingModule,
        HealthModule,
        DatabaseModule.forRoot(driver),
        AuthModule,
        LimitsModule,
        ...resources,
      ],
      controllers: settings.apiCatalog === 'public' ? [ApiCatalogController] : [],
      providers: checks,
    };
  }
}
