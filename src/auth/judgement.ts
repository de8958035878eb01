import type { Settings } from '../config/settings';
import { apiError } from '../errors/api-error';
import type { Account } from './account';
import type { Rule } from './rules';
import type { Found } from './target';
import { findTargets, NamedTarget } from './targets';

/** What the guards need to know of an operation. */
export interface AccessPlan {
  readonly rule: Rule;
  readonly targets: readonly NamedTarget[];
}

/** The judgement of one request: what its path names, and whether its caller may do what it asks (contract §1.1). */
export class Judgement {
  /** Who asks, once the AccountGuard knows. */
  account: Account | undefined;
  /** What the path names, outermost first, once the TargetGuard knows. */
  found: readonly Found[] = [];
  private reading: Promise<readonly Found[]> | undefined;

  constructor(
    private readonly plan: AccessPlan,
    private readonly params: Readonly<Record<string, string>>,
    private readonly settings: Settings,
  ) {}

  /** Starts reading what the path names, so that it comes with the account. Its failure waits for `judgeTargets`. */
  startReading(): void {
    this.reading = findTargets(this.plan.targets, this.params);
    // A failure that nobody waits for (the account's came first) must not end the process.
    this.reading.catch(() => undefined);
  }

  /** @throws Failure 404 for the first piece of the path that names nothing */
  async judgeTargets(): Promise<void> {
    this.found = await (this.reading ?? findTargets(this.plan.targets, this.params));
  }

  /** @throws Failure 403 unless the operation's rule allows it */
  judgeAccess(): void {
    const { account, settings } = this;
    if (!this.plan.rule.allows({ account, target: this.found.at(-1), settings })) throw apiError('forbidden');
  }

  /**
   * Reads and judges again, after a write found its record changed by others (contract §1.8).
   *
   * @returns the record that the path names, as it is now
   * @throws Failure 404 or 403, as this request would have got by coming second
   */
  async again(): Promise<Found | undefined> {
    this.found = await findTargets(this.plan.targets, this.params);
    this.judgeAccess();
    return this.found.at(-1);
  }
}
