import { Duplex } from 'node:stream';

/** For tests: a connection without a network that records what is written to it. */
export class FakeSocket extends Duplex {
  written = '';

  override _read(): void {
    return undefined;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written += chunk.toString('latin1');
    done();
  }
}
