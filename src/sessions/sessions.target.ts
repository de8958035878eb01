import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, Types } from 'mongoose';
import type { Found, TargetFinder } from '../auth/target';
import { Targets } from '../auth/targets';
import { User } from '../users/user.schema';
import { SessionRecord } from './session.dto';
import { isLive } from '../users/session.schema';

/** `sessions/:id` in a path: a live session of anyone. */
@Injectable()
export class SessionTarget implements TargetFinder<SessionRecord> {
  readonly segment = 'sessions/:id';
  readonly failure = 'sessionNotFound';

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    targets: Targets,
  ) {
    targets.register(this);
  }

  async find(id: string): Promise<Found<SessionRecord> | undefined> {
    const user = await this.users.findOne({ 'sessions._id': new Types.ObjectId(id) }, { 'sessions.$': 1 }).lean();
    const session = user?.sessions[0];
    return user && session && isLive(session) ? { record: session, ownerId: user._id } : undefined;
  }
}
