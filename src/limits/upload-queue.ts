import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { from, lastValueFrom, Observable } from 'rxjs';
import type { AuthorizedRequest } from '../auth/request-access';
import { WorkQueue } from './work-queue';

/**
 * Runs uploads a few at a time (contract §1.1): each takes more than a MiB of memory from the start of its body until it is
 * stored.
 */
@Injectable()
export class UploadQueueInterceptor implements NestInterceptor {
  private readonly uploads = new WorkQueue({ running: 32, runningPerKey: 4, waiting: 32, maxWaitMs: 2000 });

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { access } = context.switchToHttp().getRequest<AuthorizedRequest>();
    return from(this.uploads.run(access!.account!._id.toHexString(), () => lastValueFrom(next.handle())));
  }
}
