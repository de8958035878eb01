import { HttpException, Module, ValidationError, ValidationPipe } from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import { MongooseModule } from '@nestjs/mongoose';
import { clientOptions, settings, writeConcern } from '../shared/service.mjs';
import { AuthModule, JwtAuthGuard } from './auth.module';
import { httpError } from './http-error';
import { OrganizationsModule } from './organizations.module';
import { UsersModule } from './users.module';

@Module({
  imports: [
    MongooseModule.forRoot(settings.mongodbUri, {
      ...clientOptions,
      writeConcern,
      autoIndex: false,
      autoCreate: false,
    }),
    AuthModule,
    UsersModule,
    OrganizationsModule,
  ],
  providers: [
    { provide: APP_GUARD, useClass: JwtAuthGuard },
    {
      provide: APP_PIPE,
      useFactory: () =>
        new ValidationPipe({
          transform: true,
          whitelist: true,
          forbidNonWhitelisted: true,
          stopAtFirstError: true,
          validationError: { target: false, value: false },
          exceptionFactory: toHttpError,
        }),
    },
  ],
})
export class AppModule {}

const CODES: Record<string, number> = { isDefined: 5001, isString: 5002, whitelistValidation: 5003 };

function toHttpError(errors: ValidationError[]): HttpException {
  const fieldErrors = errors.map(({ property, constraints = {} }) => {
    const [[rule = '', detail = ''] = []] = Object.entries(constraints);
    return { code: CODES[rule] ?? 5007, title: property, detail };
  });
  return httpError('invalidContent', fieldErrors);
}
