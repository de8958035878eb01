import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `src/main.ts` as a process of its own that has no environment but the one it is given. */
export class MainProcess {
  /** What it has written so far. */
  output = '';
  errors = '';
  private readonly child: ChildProcess;
  private readonly closed: Promise<unknown[]>;

  constructor(env: Record<string, string>) {
    const main = ['--require', join(__dirname, 'typescript.cjs'), join(__dirname, '../../src/main.ts')];
    this.child = spawn(process.execPath, main, { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env } });
    this.closed = once(this.child, 'close');
    this.child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  /** Until it has written `text` to its output, or ended. */
  async wrote(text: string): Promise<void> {
    while (!this.output.includes(text) && this.child.exitCode === null) {
      await Promise.race([once(this.child.stdout!, 'data'), this.closed]);
    }
  }

  /** Until it ends. */
  async end(): Promise<number> {
    const [code] = await this.closed;
    return code as number;
  }

  /** Asks it to stop, and waits until it has. */
  stop(): Promise<number> {
    this.child.kill('SIGTERM');
    return this.end();
  }
}
