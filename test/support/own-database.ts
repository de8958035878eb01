import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { withDatabase } from './database';
import { testFolder } from './run-folder';

/** A database server of one test file alone, which it may halt or make fail. */
export class OwnDatabase {
  private constructor(private readonly server: EmbeddedDatabase) {}

  static async start({ dataDir = testFolder() } = {}): Promise<OwnDatabase> {
    const options = { dataDir, log: () => undefined, syncOnCommit: false, auth: false };
    return new OwnDatabase(await EmbeddedDatabase.start(options));
  }

  uri(name = 'roster'): string {
    return withDatabase(this.server.uri, name);
  }

  /** Makes it stop responding; connections stay open. */
  halt(): void {
    process.kill(this.server.pid, 'SIGSTOP');
  }

  goOn(): void {
    process.kill(this.server.pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    this.goOn();
    await this.server.stop();
  }
}
