import { ArgumentsHost, Catch, ExceptionFilter, Module, ValidationError, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { MongooseModule } from '@nestjs/mongoose';
import type { FastifyReply } from 'fastify';
import { clientOptions, PeerError, settings } from '../shared/service.mjs';
import { AuthModule, JwtAuthGuard } from './auth.module';
import { OrganizationsModule } from './organizations.module';
import { UsersModule } from './users.module';

@Catch(PeerError)
class PeerErrorFilter implements ExceptionFilter<PeerError> {
  catch({ status, body }: PeerError, host: ArgumentsHost): void {
    void host.switchToHttp().getResponse<FastifyReply>().status(status).send(body);
  }
}

@Module({
  imports: [
    MongooseModule.forRoot(settings.mongodbUri, { ...clientOptions, autoIndex: false, autoCreate: false }),
    AuthModule,
    UsersModule,
    OrganizationsModule,
  ],
  providers: [
    { provide: APP_FILTER, useClass: PeerErrorFilter },
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
          exceptionFactory: toError,
        }),
    },
  ],
})
export class AppModule {}

const CODES: Record<string, number> = { isDefined: 5001, isString: 5002, whitelistValidation: 5003 };

function toError(errors: ValidationError[]): PeerError {
  const fieldErrors = errors.map(({ property, constraints = {} }) => {
    const [[rule = '', detail = ''] = []] = Object.entries(constraints);
    return { code: CODES[rule] ?? 5007, title: property, detail };
  });
  return new PeerError('invalidContent', fieldErrors);
}
