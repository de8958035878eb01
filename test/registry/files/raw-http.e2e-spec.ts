import type { File } from '../../../src/registry/files/file.schema';
import { expectError } from '../../support/expect-error';
import { filePart, form, FORM_TYPE, png } from '../../support/uploads.mjs';
import { RawClient, useRawService } from '../../support/raw-client';
import { upload } from './uploads';

const MIB = 1024 * 1024;
const whole = form(filePart());
const SIZE = String(whole.length);

describe('raw HTTP uploads', () => {
  const server = useRawService();
  const { service } = server;
  let client: RawClient;
  let clients: RawClient[] = [];

  beforeEach(async () => {
    await service.model<File>('File').deleteMany({});
    client = newClient();
  });
  afterEach(() => {
    for (const one of clients) one.close();
    clients = [];
  });

  function newClient(): RawClient {
    const one = new RawClient(server.port);
    clients.push(one);
    return one;
  }

  const stored = () => service.model<File>('File').countDocuments({});

  const head = (headers: Record<string, string>): string =>
    server.asAdmin('POST', '/files', { ...FORM_TYPE, ...headers });

  /** Begins an upload: afterwards the service waits for its body. The 100 alone may precede the guards. */
  async function begin(one: RawClient, length: Record<string, string>): Promise<void> {
    const guarded = new Promise<void>((resolve) => service.afterGuards.next(() => Promise.resolve(resolve())));
    one.send(head({ ...length, Expect: '100-continue' }));
    expect((await one.response()).status).toBe(100);
    await guarded;
  }

  const chunk = (data: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
  const written = (data: Buffer) => new Promise((resolve) => client.socket.write(data, resolve));
  const response = () => client.response();
  const error = async () => {
    const { status, json } = await response();
    return { status, code: json().code };
  };

  it('are stored when they arrive byte by byte, and the connection stays usable', async () => {
    client.send(head({ 'Content-Length': SIZE }));
    for (const byte of whole) await written(Buffer.of(byte));
    expect((await response()).status).toBe(201);
    client.send(head({ 'Content-Length': SIZE })).send(whole);
    expect((await response()).status).toBe(201);
    expect(await stored()).toBe(2);
  });

  it('that declare 2 MiB are refused before the body arrives, and the connection stays usable', async () => {
    client.send(head({ 'Content-Length': String(2 * MIB) })).send(whole);
    expect(await error()).toEqual({ status: 413, code: 1004 });
    client
      .send(Buffer.alloc(2 * MIB - whole.length))
      .send(head({ 'Content-Length': SIZE }))
      .send(whole);
    expect((await response()).status).toBe(201);
  });

  it('run four at a time per account: more of them wait for two seconds, and others are not held up', async () => {
    const account = await service.account();
    const stalled = Array.from({ length: 4 }, newClient);
    for (const one of stalled) await begin(one, { 'Content-Length': SIZE });
    expectError(await upload(service.admin, png(9, 9)), 'overloaded');
    expect((await upload(account)).status).toBe(201);
    const waiting = upload(service.admin, png(9, 9));
    stalled[0]?.send(whole);
    expect((await waiting).status).toBe(201);
  });

  it('that are slow, four of each of eight accounts, give way to those of a ninth account, which are never refused', async () => {
    const accounts = await service.accountsOf(9);
    const ninth = accounts.pop()!;
    const slow = accounts.flatMap(({ token }) => Array.from({ length: 4 }, () => ({ token, client: newClient() })));
    for (const { token, client: one } of slow)
      await begin(one, { 'Content-Length': SIZE, Authorization: `Bearer ${token}` });
    const uploads = await Promise.all([1, 2, 3].map((size) => upload(ninth, png(size, size))));
    expect(uploads.map(({ status }) => status)).toEqual([201, 201, 201]);
    const dropped = slow.filter(({ client: { received } }) => received !== '');
    // Each of another account.
    expect(new Set(dropped.map(({ token }) => token)).size).toBe(3);
    for (const { client: one } of slow) one.send(whole);
    const statuses = await Promise.all(slow.map(async ({ client: one }) => (await one.response()).status));
    expect(statuses.toSorted()).toEqual([...Array<number>(29).fill(201), ...Array<number>(3).fill(503)]);
    // Their connections stay usable.
    const rejected = slow[statuses.indexOf(503)]!;
    rejected.client.send(head({ 'Content-Length': SIZE, Authorization: `Bearer ${rejected.token}` })).send(whole);
    expect((await rejected.client.response()).status).toBe(201);
  });

  it('of 200 MiB in chunks are refused before they have all arrived', async () => {
    client.send(head({ 'Transfer-Encoding': 'chunked' }));
    const block = chunk(Buffer.alloc(64 * 1024));
    const responded = new Promise((resolve) => client.socket.once('data', resolve).once('close', resolve));
    let sent = 0;
    for (; sent < 200 * MIB && !client.received && !client.closed; sent += block.length) {
      await Promise.race([written(block), responded]);
    }
    expect(await error()).toEqual({ status: 413, code: 1004 });
    expect(sent).toBeLessThan(20 * MIB);
  });

  it.each([
    ['with a length', { 'Content-Length': SIZE }, whole.subarray(0, -5)],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, Buffer.concat([chunk(whole), Buffer.from('ffff\r\n')])],
  ])('that the client aborts, %s, store nothing, and the service continues', async (_name, length, part) => {
    await begin(client, length);
    await written(part);
    client.close();
    expect((await upload(service.admin, png(9, 9))).status).toBe(201);
    expect(await stored()).toBe(1);
  });
});
