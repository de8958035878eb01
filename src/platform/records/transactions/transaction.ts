import type { ClientSession, Connection, Types } from 'mongoose';
import { Changes } from './changes';
import type { Deadline } from './deadline';
import type { Turn } from './turns';

const OPTIONS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } } as const;

/** The account that acts. */
export interface Actor {
  readonly _id: Types.ObjectId;
  readonly username: string;
  readonly apiKeyId?: Types.ObjectId;
}

/** What all attempts of one write share. */
export interface Write {
  /** Results of `beforeTransaction`, and what takes back what it did. */
  readonly results: Map<string, unknown>;
  readonly undos: (() => Promise<void>)[];
  readonly deadline: Deadline;
  readonly turn: Turn;
  /** The races that it has lost. After the first one, unique values are looked up before they are written. */
  losses: number;
  /** The revision at which a record of the path was authorized; undefined for other records. */
  revisionOf(id: string): number | undefined;
}

/** One attempt of a write: a snapshot transaction, which begins with its first command. */
export class Transaction {
  private clientSession: ClientSession | undefined;
  private isClosed = false;
  private time = -Infinity;
  /** Who acts instead of the caller. */
  actor: Actor | undefined;
  /** What to do once it is committed. */
  readonly effects: (() => Promise<unknown>)[] = [];
  /** What it has written so far. */
  readonly changes = new Changes((previous) => this.timeAfter(previous));
  /** The references that it has made safe: the record that has each, and the one that it names. */
  readonly madeSafe = new Set<string>();

  constructor(
    private readonly connection: Connection,
    readonly write: Write,
  ) {}

  /** Is true once the session was asked for, which comes before the first command. */
  get hasBegun(): boolean {
    return this.clientSession !== undefined;
  }

  /**
   * The session to pass to the driver; reading it begins the transaction.
   * @throws Error after the end: a command that nobody awaits would run outside the transaction
   */
  get session(): ClientSession {
    if (this.isClosed) throw new Error('A command came after the end of its transaction. Await every command.');
    if (!this.clientSession) {
      this.write.deadline.start();
      this.clientSession = this.connection.getClient().startSession();
      this.clientSession.startTransaction(OPTIONS);
    }
    return this.clientSession;
  }

  /**
   * The time of its writes. It is one for all, unless a record was changed later: by an instance whose clock is ahead, or in
   * the same millisecond.
   * @param previous when the record was last changed; none for a new one
   */
  timeAfter(previous?: Date): Date {
    if (this.time === -Infinity) this.time = Date.now();
    if (previous) this.time = Math.max(this.time, previous.getTime() + 1);
    return new Date(this.time);
  }

  /** Refuses further commands. @returns the session to end; undefined if it has not begun, or was closed before */
  close(): ClientSession | undefined {
    if (this.isClosed) return undefined;
    this.isClosed = true;
    return this.clientSession;
  }
}
