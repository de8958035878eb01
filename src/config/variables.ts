import { SettingsError } from './settings-error';

interface Wanted {
  /** What a right value looks like, for the person who gave a wrong one. */
  readonly wanted: string;
  /** Whether the value may hold a secret: then it is not shown. */
  readonly secret?: boolean;
}

interface Bounds {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

const SHOWN_LENGTH = 100;

/**
 * Reads variables of the environment one by one and gathers what is wrong with them. A value that cannot be used is
 * noted and replaced by the default, so that reading goes on to the next problem; `settle()` then throws.
 * An empty variable counts as not set: Compose files and CI systems hand over unset ones like that.
 */
export class Variables {
  private readonly problems: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** The value as it stands, undefined where it is not set. */
  text(name: string): string | undefined {
    return this.env[name] === '' ? undefined : this.env[name];
  }

  /** One of a few words, exactly as written. */
  word<const T extends string>(name: string, words: readonly T[], fallback: T): T {
    const given = this.text(name);
    if (given === undefined) return fallback;
    const word = words.find((candidate) => candidate === given);
    if (word !== undefined) return word;
    this.wrong(name, { wanted: `one of ${words.join(', ')}` });
    return fallback;
  }

  /** A switch: `on` or `off`. */
  flag(name: string, fallback: boolean): boolean {
    return this.word(name, ['on', 'off'], fallback ? 'on' : 'off') === 'on';
  }

  /** A whole number in decimal digits, within its bounds. `10x`, `1e3` and ` 5` are none. */
  integer(name: string, { default: fallback, min, max }: Bounds): number {
    const given = this.text(name);
    if (given === undefined) return fallback;
    const number = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
    if (number >= min && number <= max) return number;
    this.wrong(name, { wanted: `a whole number from ${min} to ${max}` });
    return fallback;
  }

  /** A value that `parse` understands; undefined from it marks one that cannot be used. */
  parsed<T>(name: string, fallback: T, parse: (given: string) => T | undefined, description: Wanted): T {
    const given = this.text(name);
    if (given === undefined) return fallback;
    const value = parse(given);
    if (value !== undefined) return value;
    this.wrong(name, description);
    return fallback;
  }

  /** Notes that the variable must be set and is not. */
  missing(name: string, description: Wanted): void {
    this.problems.push(`${name}: it is not set; wanted: ${description.wanted}`);
  }

  /** Notes that the variable's value cannot be used. */
  wrong(name: string, { wanted, secret = false }: Wanted): void {
    this.problems.push(`${name}: ${shown(this.text(name) ?? '', secret)} was given; wanted: ${wanted}`);
  }

  /** @throws SettingsError when anything was noted */
  settle(): void {
    if (this.problems.length > 0) throw new SettingsError(this.problems);
  }
}

/** An `@` may end the user name and password of a URL, so such a value is a secret too. */
function shown(given: string, secret: boolean): string {
  if (secret || given.includes('@')) return `a value of ${Buffer.byteLength(given)} bytes, not shown here,`;
  const text = given.length > SHOWN_LENGTH ? `${given.slice(0, SHOWN_LENGTH)}…` : given;
  return JSON.stringify(text);
}
