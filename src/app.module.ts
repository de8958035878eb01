import { DynamicModule, Module, Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccountGuard } from './auth/account.guard';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuthModule } from './auth/auth.module';
import { ResourceGuard } from './auth/resource.guard';
import { withInterceptors } from './auth/transaction.interceptor';
import { ApiCatalogController } from './apis/api-catalog.controller';
import { ApisModule } from './apis/apis.module';
import { Settings } from './config/settings';
import { SettingsModule } from './config/settings.module';
import { DatabaseModule } from './database/database.module';
import { EventsModule } from './events/events.module';
import { FilesModule } from './files/files.module';
import { HealthModule } from './health/health.module';
import { BodyValidationPipe } from './validation/body.pipe';
import { ApiExceptionFilter } from './errors/api-exception.filter';
import { QueryGuard } from './validation/query/query.guard';
import { AccountLimitGuard, AvailabilityGuard } from './limits/guards';
import { LimitsModule } from './limits/limits.module';
import { SearchQueueInterceptor } from './limits/queues';
import { LoggingModule } from './logging/logging.module';
import { ManagersModule } from './managers/managers.module';
import { OrganizationsModule } from './organizations/organizations.module';
import { SessionsModule } from './sessions/sessions.module';
import { UsersModule } from './users/users.module';

/**
 * The order of checks (contract §1.1): the first one that fails ends the request. Before these come the hooks of
 * src/http/edge/request-hooks.ts.
 */
const checks: Provider[] = [
  { provide: APP_GUARD, useClass: AvailabilityGuard }, // 503 maintenance, overload, unique indexes missing
  { provide: APP_GUARD, useClass: AccountGuard }, //      401, 403 suspended
  { provide: APP_GUARD, useClass: AccountLimitGuard }, // 429 requests of an account
  { provide: APP_GUARD, useClass: ResourceGuard }, //     404 what the path names, 403
  { provide: APP_GUARD, useClass: QueryGuard }, //        400 query
  // Interceptors: 503 searches and uploads beyond their queue (src/limits); innermost, the transaction of a change.
  { provide: APP_PIPE, useClass: BodyValidationPipe }, // 415, 413, 400 body and content
  { provide: APP_FILTER, useClass: ApiExceptionFilter }, //    turns every error into a response
];

/** The resources. What a deletion does to other records (`@OnDelete`) happens in this order. */
const resources = withInterceptors(SearchQueueInterceptor, [
  SessionsModule,
  ApiKeysModule,
  UsersModule,
  OrganizationsModule,
  ManagersModule,
  FilesModule,
  ApisModule,
  EventsModule,
]);

/** The application module. */
@Module({})
export class AppModule {
  /** The whole service with these settings. */
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.forRoot(settings),
        LoggingModule,
        HealthModule,
        DatabaseModule,
        AuthModule,
        LimitsModule,
        ...resources,
      ],
      controllers: settings.apiCatalog === 'public' ? [ApiCatalogController] : [],
      providers: checks,
    };
  }
}
