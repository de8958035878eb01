import { apiError } from './errors/api-error';

/** Bounds of one kind of work in this process. */
export interface WorkQueueBounds {
  /** Most that run in parallel. */
  readonly running: number;
  /** Most that wait; more are rejected. */
  readonly waiting: number;
  /** Most of one key that run in parallel, while its others wait; default: no bound. */
  readonly runningPerKey?: number;
  /** Most of one key that wait, and of one that is preferred; default: no bound. */
  readonly waitingPerKey?: number;
  readonly waitingPerPreferredKey?: number;
  /** Longest wait (ms); default: until it may run. */
  readonly maxWaitMs?: number;
  /** The wait (ms) after which a key that has fewer takes the place of the last that runs of the key with the most. */
  readonly dropAfterMs?: number;
  /** The error of work that cannot wait, or has waited for too long; default: `overloaded`. */
  readonly refusal?: () => Error;
}

/** Work, waiting or running. */
interface Work {
  readonly key: string;
  readonly isPreferred: boolean;
  /** Ends it early, unless it returns false; none if it cannot be ended, or was. */
  drop?: ((refusal: Error) => boolean) | undefined;
  start(): void;
  reject(error: Error): void;
}

/**
 * Runs a few pieces of work at a time and lets the rest wait in a short queue (contract §8.3, §8.4). The next one is of
 * the key with the fewest that run, round-robin by key; preferred and other work alternate. Work of keys that have used
 * up their share does not hold up others.
 */
export class WorkQueue {
  private readonly running: Work[] = [];
  /** In the order of their turns: those of a key that has had one are the last. */
  private waiting: Work[] = [];
  /** The kind of what started last. */
  private wasPreferred = false;

  constructor(private readonly bounds: WorkQueueBounds) {}

  /** Is true when nothing runs, and so nothing waits. */
  get isIdle(): boolean {
    return this.running.length === 0;
  }

  /**
   * Runs `work` as soon as it may run. It may keep its place for some time (ms) after its end.
   * @param isPreferred whether it takes the place of work that is not, when the queue is full
   * @param drop ends the work early with this error, for `dropAfterMs`, or returns false; it counts as running until it has
   * ended
   * @throws ApiError overloaded (503), or the `refusal`, when the queue is or gets full, or the wait is too long
   */
  async run<T>(
    key: string,
    work: (keepPlace: (ms: number) => void) => Promise<T>,
    isPreferred = false,
    drop?: Work['drop'],
  ): Promise<T> {
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const entry: Work = { key, isPreferred, drop, start, reject };
    if (this.mayRun(key)) this.running.push(entry);
    else await this.wait(entry, promise);
    let placeMs = 0;
    try {
      return await work((ms) => (placeMs = ms));
    } finally {
      if (placeMs === 0) this.leave(entry);
      else setTimeout(() => this.leave(entry), placeMs).unref();
    }
  }

  private leave(entry: Work): void {
    this.running.splice(this.running.indexOf(entry), 1);
    this.startNext();
  }

  private mayRun(key: string): boolean {
    const { running, runningPerKey = Infinity } = this.bounds;
    return this.running.length < running && this.runningOf(key) < runningPerKey;
  }

  private runningOf(key: string): number {
    return this.running.filter((one) => one.key === key).length;
  }

  /** @param started resolves when the work may run; it counts as running then */
  private async wait(entry: Work, started: Promise<void>): Promise<void> {
    this.makeRoom(entry);
    this.waiting.push(entry);
    const { maxWaitMs, dropAfterMs } = this.bounds;
    const timers = [
      maxWaitMs !== undefined && setTimeout(() => this.refuse(entry), maxWaitMs),
      dropAfterMs !== undefined && setTimeout(() => this.dropFor(entry), dropAfterMs),
    ];
    await started.finally(() => timers.forEach((timer) => timer && clearTimeout(timer)));
  }

  /** @throws the refusal when the queue is full, and nothing in it gives up its place */
  private makeRoom({ key, isPreferred }: Work): void {
    const { waiting: most, waitingPerKey = Infinity, waitingPerPreferredKey = Infinity } = this.bounds;
    const own = this.waiting.filter((one) => one.key === key).length;
    if (own >= (isPreferred ? waitingPerPreferredKey : waitingPerKey)) throw this.refusal();
    if (this.waiting.length < most) return;
    const longest =
      byKey(this.waiting).find(([one]) => isPreferred && !one!.isPreferred) ??
      byKey(this.waiting).find((all) => isPreferred === all[0]!.isPreferred && all.length > own + 1);
    if (!longest) throw this.refusal();
    this.refuse(longest.at(-1)!);
  }

  /** Ends what started last of the key with the most, if that has more than the key of what waits would have. */
  private dropFor(entry: Work): void {
    if (this.running.length < this.bounds.running) return;
    const before = this.waiting.slice(0, this.waiting.indexOf(entry)).filter(({ key }) => key === entry.key).length;
    const [most = []] = byKey(this.running.filter(({ drop }) => drop));
    if (most.length <= this.runningOf(entry.key) + before + 1) return;
    const dropped = most.findLast(({ drop }) => drop!(this.refusal()));
    if (dropped) dropped.drop = undefined;
  }

  private startNext(): void {
    const ready = this.waiting.filter(({ key }) => this.mayRun(key));
    ready.sort((one, other) => this.runningOf(one.key) - this.runningOf(other.key));
    const next = ready.find(({ isPreferred }) => isPreferred !== this.wasPreferred) ?? ready[0];
    if (!next) return;
    const { true: same = [], false: others = [] } = Object.groupBy(this.waiting, ({ key }) => `${key === next.key}`);
    this.waiting = [...others, ...same.filter((one) => one !== next)];
    this.running.push(next);
    this.wasPreferred = next.isPreferred;
    next.start();
  }

  private refuse(entry: Work): void {
    this.waiting.splice(this.waiting.indexOf(entry), 1);
    entry.reject(this.refusal());
  }

  private refusal(): Error {
    // The client should try again soon: the queue is short.
    return this.bounds.refusal?.() ?? apiError('overloaded', undefined, { 'retry-after': '2' });
  }
}

/** The work of each key, the most first; of as many, that which came last. */
function byKey(all: readonly Work[]): Work[][] {
  const groups = Object.values(Object.groupBy(all, ({ key }) => key)) as Work[][];
  return groups.toReversed().toSorted((one, other) => other.length - one.length);
}
