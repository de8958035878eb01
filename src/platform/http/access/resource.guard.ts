import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { requestOf } from './decorators';

/** Checks that everything that the path names exists, 404, and that the caller may do this, 403 (contract §1.1). */
@Injectable()
export class ResourceGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await requestOf(context).access?.authorize();
    return true;
  }
}
