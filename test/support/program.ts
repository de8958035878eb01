import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program in a process of its own. Its environment is PATH, HOME, a cache of compiled code, and what it is given. */
export class Program {
  output = '';
  errors = '';
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown[]>;
  private readonly closed: Promise<unknown[]>;

  /**
   * @param args what Node.js runs: a file and its arguments
   * @param cwd by default elsewhere than in the checkout, which may have a file .env
   */
  constructor(args: readonly string[], env: Record<string, string> = {}, cwd = tmpdir()) {
    const { PATH, HOME, TEST_RUN_DIR } = process.env;
    // Each program starts 0.2 s faster after the first.
    const NODE_COMPILE_CACHE = join(TEST_RUN_DIR ?? tmpdir(), 'compiled');
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    this.child = spawn(process.execPath, args, {
      cwd,
      env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
      stdio: [...stdio],
    });
    this.exited = once(this.child, 'exit');
    this.closed = once(this.child, 'close');
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Waits until it has written this to stdout or stderr. Throws if it ends before. */
  wrote(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const match = pattern.exec(this.output) ?? pattern.exec(this.errors);
        if (match) resolve(match);
      };
      for (const stream of [this.child.stdout, this.child.stderr]) stream?.on('data', check);
      check();
      void this.closed.then(() =>
        reject(new Error(`It ended before it wrote ${pattern}:\n${this.output}${this.errors}`)),
      );
    });
  }

  async end(): Promise<number | null> {
    const [code] = await this.closed;
    return code as number | null;
  }

  /** Asks it to stop, waits until it has ended, and gives its exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.end();
  }

  /** `kill -9`. What it has started goes on, with its streams. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

/** A program of `src`, compiled on the way. */
export function startSource(file: string, env: Record<string, string>, args: string[] = []): Program {
  return new Program(
    ['--require', join(__dirname, 'typescript.cjs'), join(__dirname, '../../src', file), ...args],
    env,
  );
}

/** A command, such as `seed`. */
export const startCommand = (env: Record<string, string>, ...args: string[]): Program =>
  startSource('commands/main.ts', env, args);

export const startMain = (env: Record<string, string>): Program => startSource('main.ts', env);
