import { apiError } from './errors/api-error';

/** Bounds of one kind of work in this process. */
export interface WorkQueueBounds {
  /** Most that run at once. */
  readonly running: number;
  /** Most that wait; more are rejected. */
  readonly waiting: number;
  /** Most of one key that run at once, while its others wait; default: no bound. */
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

/** Work, running or waiting. */
interface Work {
  readonly key: string;
  /** Ends it early, unless it returns false; none if it cannot be ended, or was. */
  drop?: ((refusal: Error) => boolean) | undefined;
}

/** Work that waits for its turn. */
interface Waiting {
  readonly work: Work;
  start(): void;
  reject(error: Error): void;
}

/** What waits of one key, in the order in which it came. */
interface Line {
  readonly key: string;
  readonly isPreferred: boolean;
  readonly waiting: Waiting[];
}

/**
 * Runs a few pieces of work at a time and lets the rest wait in a short queue (contract §8.3, §8.4). The next one is of
 * the key with the fewest that run, round-robin by key; preferred and other work alternate. Work of keys that have used
 * up their share does not hold up others.
 */
export class WorkQueue {
  private readonly running: Work[] = [];
  /** Those of the keys that wait, in the order of their turns: a key that has had one is the last. */
  private lines: Line[] = [];
  /** The kind of what started last. */
  private wasPreferred = false;

  constructor(private readonly bounds: WorkQueueBounds) {}

  /** Is true when nothing runs, and so nothing waits. */
  get isIdle(): boolean {
    return this.running.length === 0;
  }

  /**
   * Runs `work` as soon as it may run.
   * @param isPreferred whether it takes the place of work that is not, when the queue is full
   * @param drop ends the work early with this error, for `dropAfterMs`, or returns false; it counts as running until it has
   * ended
   * @throws ApiError overloaded (503), or the `refusal`, when the queue is or gets full, or the wait is too long
   */
  async run<T>(key: string, work: () => Promise<T>, isPreferred = false, drop?: Work['drop']): Promise<T> {
    const entry: Work = { key, drop };
    if (this.mayRun(key)) this.running.push(entry);
    else await this.wait(entry, isPreferred);
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(entry), 1);
      this.startNext();
    }
  }

  private mayRun(key: string): boolean {
    const { running, runningPerKey = Infinity } = this.bounds;
    return this.running.length < running && this.runningOf(key).length < runningPerKey;
  }

  private runningOf(key: string): Work[] {
    return this.running.filter((one) => one.key === key);
  }

  /** Resolves when the work may run; it counts as running then. */
  private async wait(work: Work, isPreferred: boolean): Promise<void> {
    const { key } = work;
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const line = this.lines.find((one) => one.key === key) ?? { key, isPreferred, waiting: [] };
    this.makeRoom(line);
    if (line.waiting.length === 0) this.lines.push(line);
    const entry: Waiting = { work, start, reject };
    line.waiting.push(entry);
    const { maxWaitMs, dropAfterMs } = this.bounds;
    const timers = [
      maxWaitMs !== undefined && setTimeout(() => this.reject(line, entry), maxWaitMs),
      dropAfterMs !== undefined && setTimeout(() => this.dropFor(line, entry), dropAfterMs),
    ];
    await promise.finally(() => timers.forEach((timer) => timer && clearTimeout(timer)));
  }

  /** @throws the refusal when the queue is full, and nothing in it gives up its place */
  private makeRoom({ isPreferred, waiting }: Line): void {
    const { waiting: most, waitingPerKey = Infinity, waitingPerPreferredKey = Infinity } = this.bounds;
    if (waiting.length >= (isPreferred ? waitingPerPreferredKey : waitingPerKey)) throw this.refusal();
    if (this.lines.reduce((sum, line) => sum + line.waiting.length, 0) < most) return;
    const longestFirst = this.lines.toReversed().toSorted((one, other) => other.waiting.length - one.waiting.length);
    const longest =
      longestFirst.find((line) => isPreferred && !line.isPreferred) ??
      longestFirst.find((line) => isPreferred === line.isPreferred && line.waiting.length > waiting.length + 1);
    if (!longest) throw this.refusal();
    this.reject(longest, longest.waiting.at(-1)!);
  }

  /** Ends what started last of the key with the most, if that has more than the key of what waits would have. */
  private dropFor({ key, waiting }: Line, entry: Waiting): void {
    if (this.running.length < this.bounds.running) return;
    const byKey = Object.values(Object.groupBy(this.running, (one) => one.key));
    const most = byKey
      .map((all = []) => all.filter(({ drop }) => drop))
      .sort((one, other) => other.length - one.length)[0]!;
    if (most.length <= this.runningOf(key).length + waiting.indexOf(entry) + 1) return;
    const dropped = most.findLast(({ drop }) => drop!(this.refusal()));
    if (dropped) dropped.drop = undefined;
  }

  private startNext(): void {
    const lines = this.lines.filter(({ key }) => this.mayRun(key));
    lines.sort((one, other) => this.runningOf(one.key).length - this.runningOf(other.key).length);
    const line = lines.find(({ isPreferred }) => isPreferred !== this.wasPreferred) ?? lines[0];
    if (!line) return;
    const next = line.waiting[0]!;
    this.remove(line, next);
    if (line.waiting.length > 0) this.lines = [...this.lines.filter((one) => one !== line), line];
    this.running.push(next.work);
    this.wasPreferred = line.isPreferred;
    next.start();
  }

  private reject(line: Line, entry: Waiting): void {
    this.remove(line, entry);
    entry.reject(this.refusal());
  }

  private remove(line: Line, entry: Waiting): void {
    line.waiting.splice(line.waiting.indexOf(entry), 1);
    if (line.waiting.length === 0) this.lines = this.lines.filter((one) => one !== line);
  }

  private refusal(): Error {
    // The client should try again soon: the queue is short.
    return this.bounds.refusal?.() ?? apiError('overloaded', undefined, { 'retry-after': '2' });
  }
}
