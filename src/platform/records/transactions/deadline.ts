import { unavailable } from '../driver/database-errors';

/** The time limit of a write with all its attempts. It counts from the first command on. */
export class Deadline {
  private readonly expiry = Promise.withResolvers<never>();
  private timer: NodeJS.Timeout | undefined;
  isOver = false;

  /** @param error made when the time is over */
  constructor(
    readonly ms: number,
    private readonly error: () => Error = () => unavailable(undefined),
  ) {
    this.expiry.promise.catch(() => undefined);
  }

  start(): void {
    this.timer ??= setTimeout(() => {
      this.isOver = true;
      this.expiry.reject(this.error());
    }, this.ms).unref();
  }

  /** @throws the error of the deadline after it; the work continues, and its result is ignored */
  before<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.expiry.promise]);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
