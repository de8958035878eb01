import { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { type Connection, createConnection } from 'mongoose';
import { DRIVER } from '../../../support/connection';
import { Fault, FaultProxy } from '../../../support/fault-proxy';
import type { OwnDatabase } from '../../../support/own-database';
import { Service, startService } from '../../../support/service';
import type { Send } from '../../../support/scene';
import type { Write } from '../../../support/writes';

type Stored = Record<string, unknown>;
type Contents = Record<string, unknown[]>;

/** The outcome of a request. */
export interface Outcome {
  status: number;
  code: number | undefined;
  /** The commands that it sent to the database. */
  commands: string[];
  /** Its changes, as one text per document: `users ~ referenceCount`. */
  changes: string[];
}

/** A command to break, counted from 0. */
export interface Broken {
  index: number;
  fault: Fault;
}

let databases = 0;

/** Time that a service waits for a command (ms) while one of its write hangs. */
const PATIENCE_MS = 150;

/** The ports of the proxies behind which a write hangs. */
const hanging = new Set<number>();

// The driver sets the time-out of its socket for each command.
const { setTimeout } = Socket.prototype;
Socket.prototype.setTimeout = function (ms, ...rest) {
  const isCommand = ms === DRIVER.socketTimeoutMS && hanging.has(this.remotePort!);
  return setTimeout.call(this, isCommand ? PATIENCE_MS : ms, ...rest);
};

/** A write whose records are made, and what is stored before it. */
interface Prepared {
  prepare: Write['prepare'];
  write: Send;
  before: Contents;
}

/** Attempts writes on a service and a database of its own, so several can do so at the same time. */
export class Attempts {
  /** Of the last attempt: preparing takes longer than all else, so the next one uses it again. */
  private prepared: Prepared | undefined;

  private constructor(
    private readonly proxy: FaultProxy,
    readonly service: Service,
    /** Sees what is stored while the service is cut off. */
    readonly observer: Connection,
    /** What is stored before anything is prepared: each attempt reads and compares everything. */
    private readonly first: Contents,
  ) {}

  static async start(database: OwnDatabase): Promise<Attempts> {
    const name = `roster-${(databases += 1)}`;
    const proxy = await FaultProxy.start(database.uri());
    const service = await startService({ MONGODB_URI: proxy.uri(name) });
    await service.account();
    const observer = await createConnection(database.uri(name)).asPromise();
    return new Attempts(proxy, service, observer, await service.contents(observer));
  }

  async stop(): Promise<void> {
    await this.observer.close();
    await this.service.stop();
    this.proxy.stop();
  }

  async attempt(prepare: Write['prepare'], broken?: Broken): Promise<Outcome> {
    await this.reconnected();
    const { write, before } = await this.preparedFor(prepare);
    this.proxy.watch(broken);
    // The other faults don't wait, and what is prepared must not fail because the machine is busy.
    if (broken?.fault === 'hang') hanging.add(this.proxy.port);
    const { status, body } = await Promise.resolve(write()).finally(() => hanging.delete(this.proxy.port));
    const commands = [...this.proxy.commands];
    this.proxy.watch();
    const after = await this.service.contents(this.observer);
    await this.restore(before, after);
    this.prepared = { prepare, write, before };
    const changes = difference(before, after);
    return { status, code: body?.code as number | undefined, commands, changes };
  }

  private async preparedFor(prepare: Write['prepare']): Promise<Prepared> {
    if (this.prepared?.prepare === prepare) return this.prepared;
    await this.restore(this.first, await this.service.contents(this.observer));
    const write = await prepare(this.service);
    return { prepare, write, before: await this.service.contents(this.observer) };
  }

  /** Stores again what was stored before. Deletes and inserts: the embedded database keeps what a unique index had of a changed record. */
  private async restore(before: Contents, after: Contents): Promise<void> {
    for (const name of Object.keys(after)) {
      const [old, now] = [byId(before[name]), byId(after[name])];
      const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
        (id) => !isDeepStrictEqual(old.get(id), now.get(id)),
      );
      const changedIn = (records: Map<string, Stored>): Stored[] =>
        [...records.values()].filter(({ _id }) => changed.includes(String(_id)));
      const collection = this.observer.collection(name);
      const ids = changedIn(now).map(({ _id }) => _id);
      if (ids.length > 0) await collection.deleteMany({ _id: { $in: ids } } as object);
      if (changedIn(old).length > 0) await collection.insertMany(changedIn(old));
    }
  }

  /** The fault before may have closed all connections. On a busy machine new ones can take longer than an operation waits. */
  private async reconnected(): Promise<void> {
    const ping = () => this.service.connection.db!.command({ ping: 1 });
    while (!(await ping().catch(() => undefined)));
  }
}

const byId = (documents: unknown[] = []) => new Map((documents as Stored[]).map((one) => [String(one._id), one]));

/** The differences between two states, without ids and values: two runs of one write differ by the same. */
function difference(before: Contents, after: Contents): string[] {
  const texts: string[] = [];
  for (const name of Object.keys(after)) {
    const [old, now] = [byId(before[name]), byId(after[name])];
    for (const id of old.keys()) if (!now.has(id)) texts.push(`${name} -`);
    for (const [id, document] of now) {
      const was = old.get(id);
      const changed = Object.keys({ ...was, ...document }).filter(
        (field) => !isDeepStrictEqual(was?.[field], document[field]),
      );
      if (!was) texts.push(`${name} +`);
      else if (changed.length > 0) texts.push(`${name} ~ ${changed.sort().join(' ')}`);
    }
  }
  return texts.sort();
}
