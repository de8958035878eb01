import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { RawBody } from '../body/raw-body';
import { requestOf } from './decorators';

/** Checks that everything that the path names exists, 404, and that the caller may do this, 403 (contract §1.1). */
@Injectable()
export class ResourceGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { access, method, body } = requestOf(context);
    await access?.authorize();
    if (method === 'PUT' && body instanceof RawBody) body.stored = () => access?.record;
    return true;
  }
}
