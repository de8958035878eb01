import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, Observable } from 'rxjs';
import { Settings } from '../../base/settings/settings';
import { respond, type RouteSettings } from './response';

/** Makes the response of what a handler returned, as its `@Returns` declares (contract §2). */
@Injectable()
export class ResponseInterceptor implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object | undefined> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const { response } = reply.routeOptions.config as RouteSettings;
    if (!response) return next.handle();
    return next.handle().pipe(map((result) => respond(response, result, reply, this.settings.basePath)));
  }
}
