import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { RosterRequest } from '../http/request';

/** The caller may do it, else 403 (contract §1.1). Deny by default: a route without a rule fails the start. */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<RosterRequest>().judgement?.judgeAccess();
    return true;
  }
}
