import { EmbeddedDatabase } from '../../tools/embedded-database/database.mjs';
import { withDatabase } from './database';
import { testFolder } from './run-folder';

/** A database server of one test file alone, which it may stop, halt, or make fail. */
export class OwnDatabase {
  private constructor(private readonly server: EmbeddedDatabase) {}

  /** @param options `syncOnCommit` for a database that keeps acknowledged writes when it is killed */
  static async start({ syncOnCommit = false, dataDir = testFolder() } = {}): Promise<OwnDatabase> {
    return new OwnDatabase(await EmbeddedDatabase.start({ dataDir, log: () => undefined, syncOnCommit }));
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

  /** `kill -9`; it is then started again at the same address. */
  kill(): void {
    process.kill(this.server.pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    this.goOn();
    await this.server.stop();
  }
}
