import type { File } from '../../src/files/file.schema';
import { filePart, form, FORM_TYPE, png } from '../support/images';
import { Service, startService } from '../support/service';
import { RawClient } from '../http/raw-client';
import { upload } from './uploads';

const MIB = 1024 * 1024;
const whole = form(filePart());

describe('uploads over the wire', () => {
  let service: Service;
  let port: number;
  let client: RawClient;

  beforeAll(async () => {
    service = await startService();
    port = Number(new URL(await service.url()).port);
  });
  beforeEach(async () => {
    await service.model<File>('File').deleteMany({});
    client = new RawClient(port);
  });
  afterEach(() => client.close());
  afterAll(() => service.stop());

  const stored = () => service.model<File>('File').countDocuments({});

  /** The header section of an upload by the Admin. */
  function head(headers: Record<string, string | number>): string {
    const all = { Host: 'localhost', Authorization: `Bearer ${service.admin.token}`, ...FORM_TYPE, ...headers };
    const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST /files HTTP/1.1\r\n${fields.join('')}\r\n`;
  }

  const chunk = (data: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

  it('one that arrives byte by byte is kept, and the connection goes on', async () => {
    client.send(head({ 'Content-Length': whole.length }));
    for (const [at, byte] of whole.entries()) {
      client.send(Buffer.of(byte));
      if (at % 20 === 0) await pause();
    }
    expect((await client.response()).status).toBe(201);
    client.send(head({ 'Content-Length': whole.length })).send(whole);
    expect((await client.response()).status).toBe(201);
    expect(await stored()).toBe(2);
  });

  it('one in chunks, without length, is kept', async () => {
    client.send(head({ 'Transfer-Encoding': 'chunked' }));
    for (let at = 0; at < whole.length; at += 50) client.send(chunk(whole.subarray(at, at + 50)));
    client.send('0\r\n\r\n');
    expect((await client.response()).status).toBe(201);
  });

  it('one that expects 100 Continue gets it, and then its response', async () => {
    client.send(head({ 'Content-Length': whole.length, Expect: '100-continue' }));
    expect((await client.response()).status).toBe(100);
    client.send(whole);
    expect((await client.response()).status).toBe(201);
    const large = new RawClient(port).send(head({ 'Content-Length': 2 * MIB, Expect: '100-continue' }));
    expect((await large.response()).status).toBe(100);
    expect((await large.response()).status).toBe(413);
    large.close();
  });

  it('one that declares 2 MiB is refused before they come', async () => {
    client.send(head({ 'Content-Length': 2 * MIB })).send(whole);
    const answer = await client.response();
    expect({ status: answer.status, code: answer.json().code }).toEqual({ status: 413, code: 1004 });
  });

  it('one of 200 MiB in chunks is refused long before its end', async () => {
    client.send(head({ 'Transfer-Encoding': 'chunked' }));
    const block = chunk(Buffer.alloc(64 * 1024));
    let sent = 0;
    while (sent < 200 * MIB && !client.received && !client.closed) {
      if (!client.socket.write(block)) await pause();
      sent += block.length;
    }
    const answer = await client.response();
    expect({ status: answer.status, code: answer.json().code }).toEqual({ status: 413, code: 1004 });
    expect(sent).toBeLessThan(20 * MIB);
  });

  it('one that breaks off leaves nothing, and the service goes on', async () => {
    client.send(head({ 'Content-Length': whole.length })).send(whole.subarray(0, -5));
    await pause();
    client.close();
    const half = new RawClient(port)
      .send(head({ 'Transfer-Encoding': 'chunked' }))
      .send(chunk(whole))
      .send('ffff\r\n');
    await pause();
    half.close();
    await pause();
    expect(await stored()).toBe(0);
    expect((await upload(service.admin, png(9, 9))).status).toBe(201);
  });

  it('one whose declared length cuts its end off is unusable', async () => {
    const cut = whole.subarray(0, -10);
    client.send(head({ 'Content-Length': cut.length })).send(cut);
    const answer = await client.response();
    expect({ status: answer.status, code: answer.json().code }).toEqual({ status: 400, code: 1001 });
  });

  it('one without credentials is answered before its body comes', async () => {
    client.send(head({ 'Content-Length': whole.length, Authorization: 'Basic x' }));
    expect((await client.response()).status).toBe(401);
  });
});
