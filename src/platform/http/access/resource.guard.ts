import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { LostRace } from '../../records/transactions/lost-race';
import { UnreadBody } from '../body/unread-body';
import { requestOf } from './decorators';

/** Checks that everything that the path names exists, 404, and that the caller may do this, 403 (contract §1.1). */
@Injectable()
export class ResourceGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { access, body } = requestOf(context);
    await access?.authorize();
    if (!access || !(body instanceof UnreadBody)) return true;
    body.known = access;
    if ((body.stream as Partial<IncomingMessage>).complete !== false) return true;
    body.onLate = async () => {
      body.onLate = undefined;
      if (await access.authorizeAgain()) throw new LostRace();
    };
    return true;
  }
}
