import { StartError } from '../errors/start-error';

/** Reads a setting that is not a number or a word. */
export interface Format<T> {
  /** Returns undefined for a value that is not valid. */
  readonly parse: (given: string) => T | undefined;
  /** Completes the sentence "it must be …". */
  readonly expected: string;
  /** Values are never printed. */
  readonly secret?: boolean;
}

const MAX_PRINTED = 100;

/**
 * Reads environment variables and collects what is wrong with them: a value that is not valid is reported and replaced
 * by the default. An empty variable counts as not set: Compose files and CI systems pass unset ones like that.
 */
export class Variables {
  /** The variable, its value (never a secret), and what it must be. */
  readonly problems: string[] = [];

  constructor(private readonly env: NodeJS.ProcessEnv) {}

  /** The value as it is, undefined when it is not set. */
  text(name: string): string | undefined {
    return this.env[name] || undefined;
  }

  /** One of several words, exactly as written. */
  word<const T extends string>(name: string, words: readonly T[], fallback: T): T {
    const parse = (given: string): T | undefined => words.find((word) => word === given);
    return this.formatted(name, fallback, { parse, expected: `one of ${words.join(', ')}` });
  }

  /** `on` or `off`. */
  flag(name: string, fallback: 'on' | 'off'): boolean {
    return this.word(name, ['on', 'off'], fallback) === 'on';
  }

  /** A whole number in decimal digits. `10x`, `1e3` and ` 5` are not valid. */
  integer(name: string, fallback: number, { min, max }: { min: number; max: number }): number {
    const parse = (given: string): number | undefined => {
      const number = /^\d{1,15}$/.test(given) ? Number(given) : NaN;
      return number >= min && number <= max ? number : undefined;
    };
    return this.formatted(name, fallback, { parse, expected: `a whole number from ${min} to ${max}` });
  }

  /** A value in a format of its own. */
  formatted<T>(name: string, fallback: T, { parse, expected, secret }: Format<T>): T {
    const given = this.text(name);
    if (given === undefined) return fallback;
    const value = parse(given);
    if (value === undefined) this.invalid(name, `it must be ${expected}`, { secret });
    return value ?? fallback;
  }

  /** Reports that a variable must be set. */
  missing(name: string, advice: string): void {
    this.problems.push(`${name} is not set; ${advice}`);
  }

  /** Reports that a variable's value is not valid. An `@` can follow a password in a URL, so such values are secret. */
  invalid(name: string, advice: string, { secret = false } = {}): void {
    const given = this.text(name) ?? '';
    const printed = JSON.stringify(given.length > MAX_PRINTED ? `${given.slice(0, MAX_PRINTED)}…` : given);
    const hidden = `${Buffer.byteLength(given)} bytes long (not shown)`;
    this.problems.push(`${name} is ${secret || given.includes('@') ? hidden : printed}; ${advice}`);
  }

  /** @throws StartError that lists every problem, one per line */
  throwProblems(): void {
    if (this.problems.length > 0) throw new StartError(this.problems.join('\n'));
  }
}
