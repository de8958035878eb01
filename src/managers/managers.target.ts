import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Found, TargetFinder } from '../auth/target';
import { Targets } from '../auth/targets';

/** The place of a User among the managers of an Organization. */
export interface ManagerPlace {
  readonly _id: Types.ObjectId;
  /** The Organization's, which rises with every change of its managers. */
  readonly revision: number;
}

/** `managers/:managerId` behind an Organization in a path: its record is there already. */
@Injectable()
export class ManagerTarget implements TargetFinder<ManagerPlace> {
  readonly segment = 'managers/:managerId';
  readonly failure = 'managerNotFound';

  constructor(targets: Targets) {
    targets.register(this);
  }

  find(id: string, parent: Found | undefined): Promise<Found<ManagerPlace> | undefined> {
    const { managerIds = [], record } = parent ?? {};
    const _id = managerIds.find((managerId) => managerId.equals(id));
    const { revision } = record as ManagerPlace;
    return Promise.resolve(_id && { record: { _id, revision }, managerIds });
  }
}
