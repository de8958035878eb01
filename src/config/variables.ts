import { SettingsError } from './settings-error';

interface Bounds {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** How a setting that is not a number or a word is read. */
interface Format<T> {
  /** Returns undefined for a value that is not valid. */
  readonly parse: (given: string) => T | undefined;
  /** Completes the sentence "it must be …". */
  readonly expected: string;
  /** A value that can contain a secret is not shown. */
  readonly secret?: boolean;
}

const SHOWN_LENGTH = 100;

/**
 * Reads environment variables and collects what is wrong with them. A value that is not valid is reported and replaced
 * by the default, so the remaining variables are checked too; `throwProblems()` ends the start.
 * An empty variable counts as not set: Compose files and CI systems pass unset ones like that.
 */
export class Variables {
  private readonly problems: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** The value as it is, undefined when it is not set. */
  text(name: string): string | undefined {
    return this.env[name] || undefined;
  }

  /** One of several words, exactly as written. */
  word<const T extends string>(name: string, words: readonly T[], fallback: T): T {
    const parse = (given: string): T | undefined => words.find((word) => word === given);
    return this.parsed(name, fallback, { parse, expected: `one of ${words.join(', ')}` });
  }

  /** `on` or `off`. */
  flag(name: string, fallback: boolean): boolean {
    return this.word(name, ['on', 'off'], fallback ? 'on' : 'off') === 'on';
  }

  /** A whole number in decimal digits. `10x`, `1e3` and ` 5` are not valid. */
  integer(name: string, { default: fallback, min, max }: Bounds): number {
    const parse = (given: string): number | undefined => {
      const number = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
      return number >= min && number <= max ? number : undefined;
    };
    return this.parsed(name, fallback, { parse, expected: `a whole number from ${min} to ${max}` });
  }

  /** A value in a format of its own. */
  parsed<T>(name: string, fallback: T, { parse, expected, secret }: Format<T>): T {
    const given = this.text(name);
    if (given === undefined) return fallback;
    const value = parse(given);
    if (value !== undefined) return value;
    this.invalid(name, `it must be ${expected}`, { secret });
    return fallback;
  }

  /** Reports that a variable must be set. */
  missing(name: string, advice: string): void {
    this.problems.push(`${name} is not set; ${advice}`);
  }

  /** Reports that a variable's value is not valid. */
  invalid(name: string, advice: string, { secret = false } = {}): void {
    this.problems.push(`${name} is ${shown(this.text(name) ?? '', secret)}; ${advice}`);
  }

  /** @throws SettingsError when anything was reported */
  throwProblems(): void {
    if (this.problems.length > 0) throw new SettingsError(this.problems);
  }
}

/** An `@` can follow the user name and password in a URL, so such a value is a secret, too. */
function shown(given: string, secret: boolean): string {
  if (secret || given.includes('@')) return `${Buffer.byteLength(given)} bytes long (not shown)`;
  return JSON.stringify(given.length > SHOWN_LENGTH ? `${given.slice(0, SHOWN_LENGTH)}…` : given);
}
