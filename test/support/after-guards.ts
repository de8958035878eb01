import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { defer, from, Observable, switchMap } from 'rxjs';

/** Runs code in one request after its guards, before its body is read and its handler is called. */
@Injectable()
export class AfterGuards implements NestInterceptor {
  private event: (() => Promise<unknown>) | undefined;

  /** Runs `event` in the next request. */
  next(event: (() => Promise<unknown>) | undefined): void {
    this.event = event;
  }

  intercept(_context: ExecutionContext, handler: CallHandler): Observable<unknown> {
    const { event } = this;
    if (!event) return handler.handle();
    this.event = undefined;
    return defer(() => from(event())).pipe(switchMap(() => handler.handle()));
  }
}
