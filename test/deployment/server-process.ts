import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that is not ours, in the foreground. */
export class ServerProcess {
  output = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  constructor(command: string, args: readonly string[], cwd: string) {
    const path = `${process.env.PATH}:/usr/sbin`;
    this.child = spawn(command, args, { cwd, env: { ...process.env, PATH: path }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.ended = once(this.child, 'close');
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}

/** Tries again until it holds, or the test's time is over. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}
