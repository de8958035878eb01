import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabase, startEmbeddedDatabase } from '../../src/database/embedded/embedded-database';
import { withDatabase } from './database';

/** A database server of one test file alone, which it may stop, halt, or make fail. */
export class OwnDatabase {
  private constructor(
    private readonly server: EmbeddedDatabase,
    private readonly dataDir: string,
  ) {}

  static async start(): Promise<OwnDatabase> {
    const dataDir = mkdtempSync(join(tmpdir(), 'roster-own-'));
    const server = await startEmbeddedDatabase({ dataDir, log: () => undefined, syncOnCommit: false });
    return new OwnDatabase(server, dataDir);
  }

  /** The address of a database on it. */
  uri(name = 'roster'): string {
    return withDatabase(this.server.uri, name);
  }

  /** Stops answering; connections stay open. */
  halt(): void {
    process.kill(this.server.pid, 'SIGSTOP');
  }

  /** Answers again. */
  goOn(): void {
    process.kill(this.server.pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    this.goOn();
    await this.server.stop();
    rmSync(this.dataDir, { recursive: true });
  }
}
