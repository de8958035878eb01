import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { RosterRequest } from '../http/request';

/** Everything that the path names exists, else 404 (contract §1.1). */
@Injectable()
export class TargetGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    await context.switchToHttp().getRequest<RosterRequest>().judgement?.judgeTargets();
    return true;
  }
}
