/** How long a window lasts in seconds: the limits are per minute. */
export const WINDOW_SECONDS = 60;

/** How often something was counted in the present window, and how long that window still lasts. */
export interface Tally {
  readonly count: number;
  readonly msLeft: number;
}

/** Counts per key in fixed windows of a minute, which begin with the first count. */
export interface Counter {
  /** Counts one more. */
  add(key: string): Promise<Tally>;

  /** How it stands, without counting. */
  used(key: string): Promise<Tally>;

  /** Forgets what was counted. */
  forget(key: string): Promise<void>;
}
