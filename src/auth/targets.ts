import { Injectable } from '@nestjs/common';
import { apiError } from '../errors/api-error';
import { isRecordId } from '../http/record-id';
import { Found, TargetFinder } from './target';

/** One piece of a path that names a record. */
export interface NamedTarget {
  readonly param: string;
  readonly target: TargetFinder;
}

/** The finders of all resources, by the piece of a path that names them. */
@Injectable()
export class Targets {
  private readonly bySegment = new Map<string, TargetFinder>();

  /** Makes a resource known; called by its module at the start. */
  register(target: TargetFinder): void {
    this.bySegment.set(target.segment, target);
  }

  /**
   * The Targets that a route's path names, outermost first.
   *
   * @param path as the controllers write it: `organizations/:id/managers/:managerId`
   * @throws Error at the start when a parameter has no Target
   */
  ofPath(path: string): readonly NamedTarget[] {
    const segments = path.split('/').filter(Boolean);
    return segments.flatMap((segment, index) => {
      if (!segment.startsWith(':')) return [];
      const key = `${segments[index - 1]}/${segment}`;
      const target = this.bySegment.get(key);
      if (!target) throw new Error(`The path "${path}" names "${key}", for which no Target is registered.`);
      return [{ param: segment.slice(1), target }];
    });
  }
}

/**
 * Finds everything that the path of a request names (contract §1.1), outermost first.
 *
 * @throws Failure 404 with the code of the first that does not exist
 */
export async function findTargets(
  named: readonly NamedTarget[],
  params: Readonly<Record<string, string>>,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { param, target } of named) {
    const id = params[param] ?? '';
    // Whatever is no id names nothing (contract §1.2), and no database is asked.
    const one = isRecordId(id) ? await target.find(id, found.at(-1)) : undefined;
    if (!one) throw apiError(target.failure);
    found.push(one);
  }
  return found;
}
