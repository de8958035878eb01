import { once } from 'node:events';
import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';
import { mongo } from 'mongoose';
import { withDatabase } from './database';

/**
 * Faults of a command: the database refuses it (and rolls back what it should commit); the connection is lost before it
 * arrives, or after it has been carried out and before its response arrives; nothing responds on that connection any
 * more; or, as when the process is killed, all connections are lost and none is opened.
 */
export const FAULTS = ['error', 'lost before', 'lost after', 'hang', 'killed'] as const;

/** A commit is carried out, and the database restarts before its response and no longer knows the transaction. */
export const FORGOTTEN = 'forgotten';
export type Fault = (typeof FAULTS)[number] | typeof FORGOTTEN;

/** The opcode of all commands but a connection's first (MongoDB wire protocol, OP_MSG). */
const OP_MSG = 2013;

/** Commands that drivers send by themselves. */
const HOUSEKEEPING = ['hello', 'ismaster', 'isMaster', 'saslStart', 'saslContinue', 'ping', 'endSessions', 'buildInfo'];

/** Stands between the driver and a database: tells which commands pass, and breaks one of them. */
export class FaultProxy {
  /** The names of the commands since `watch`. */
  readonly commands: string[] = [];
  private broken: { index: number; fault: Fault } | undefined;
  private killed = false;
  private isForgotten = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (client) => this.connect(client));
  }

  /** @param uri the address of the database, with one host */
  static async start(uri: string): Promise<FaultProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, new URL(uri));
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The address of a database by way of the proxy. */
  uri(name: string): string {
    const uri = new URL(this.target);
    uri.port = String(this.port);
    return withDatabase(uri.href, name);
  }

  /** Forgets the commands so far. @param broken the command to break, counted from 0; none by default */
  watch(broken?: { index: number; fault: Fault }): void {
    this.commands.splice(0);
    this.broken = broken;
    this.killed = false;
    this.isForgotten = false;
  }

  stop(): void {
    this.disconnect();
    this.server.close();
  }

  private disconnect(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private connect(client: Socket): void {
    if (this.killed) return void client.destroy();
    const database = connect(Number(this.target.port), this.target.hostname);
    const end = (): void => void [client, database].forEach((socket) => socket.destroy());
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket) && end());
    }
    let broken: { id: number; fault: Fault } | undefined;
    forEachMessage(client, (message) => {
      if (broken?.fault === 'hang') return;
      const fault = this.faultOf(message);
      if (fault) broken = { id: message.readInt32LE(4), fault };
      if (fault === 'hang') return;
      if (fault === 'lost before') return end();
      if (fault === 'killed') return this.kill();
      database.write(fault === 'error' ? harmless(message) : message);
    });
    forEachMessage(database, (message) => {
      const fault = broken?.id === message.readInt32LE(8) ? broken.fault : undefined;
      if (fault === 'lost after') return end();
      if (fault === FORGOTTEN && !this.isForgotten) {
        this.isForgotten = true;
        return end();
      }
      const isRefused = fault === 'error' || fault === FORGOTTEN;
      client.write(isRefused ? refusal(message.readInt32LE(8), ERRORS[fault]) : message);
    });
  }

  private kill(): void {
    this.killed = true;
    this.disconnect();
  }

  private faultOf(message: Buffer): Fault | undefined {
    if (message.readInt32LE(12) !== OP_MSG) return undefined;
    const [command = ''] = Object.keys(documentOf(message));
    if (HOUSEKEEPING.includes(command)) return undefined;
    this.commands.push(command);
    if (this.isForgotten && command === 'commitTransaction') return FORGOTTEN;
    return this.broken?.index === this.commands.length - 1 ? this.broken.fault : undefined;
  }
}

/** Calls back with each whole message of the wire protocol; its length comes first. */
function forEachMessage(socket: Socket, onMessage: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}

/** Bytes before a message's document: the header (16 bytes), flags (4), and the kind of the section (1). */
const HEAD = 21;

function documentOf(message: Buffer): Record<string, unknown> {
  const document = message.subarray(HEAD, HEAD + message.readInt32LE(HEAD));
  return mongo.BSON.deserialize(document, { promoteValues: false });
}

function withDocument(head: Buffer, document: object): Buffer {
  const message = Buffer.concat([head.subarray(0, HEAD), mongo.BSON.serialize(document)]);
  message.writeInt32LE(message.length, 0);
  return message;
}

/** Instead of a command that is refused: one that changes nothing. A commit that is refused rolls back. */
function harmless(message: Buffer): Buffer {
  const { commitTransaction, ...rest } = documentOf(message);
  const { lsid, txnNumber, autocommit, $db } = rest;
  if (commitTransaction === undefined) return withDocument(message, { ping: 1, $db });
  return withDocument(message, { abortTransaction: 1, lsid, txnNumber, autocommit, $db });
}

const ERRORS = {
  error: { code: 50, codeName: 'MaxTimeMSExpired' },
  [FORGOTTEN]: { code: 251, codeName: 'NoSuchTransaction', errorLabels: ['TransientTransactionError'] },
};

/** The response of a server that refuses a command. */
function refusal(responseTo: number, error: object): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(OP_MSG, 12);
  return withDocument(head, { ok: 0, ...error, errmsg: 'refused by a test' });
}
