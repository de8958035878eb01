import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { FakeSocket } from '../../../test/support/fake-socket';
import { answerClientError } from './client-error';
import { lingeringClose } from './lingering-close';

let socket: FakeSocket;
beforeEach(() => {
  socket = new FakeSocket();
});
afterEach(() => socket.destroy());

const answer = (error: object): void =>
  answerClientError(Object.assign(new Error('refused'), error), socket as unknown as Socket, 100);
const refused = (): number => Number(/^HTTP\/1\.1 (\d+)/.exec(socket.written)?.[1]);

describe('answerClientError', () => {
  it.each([
    [408, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }],
    [400, { code: 'HPE_INVALID_METHOD' }],
    [431, { code: 'HPE_HEADER_OVERFLOW' }],
    [431, { code: 'HPE_HEADER_OVERFLOW', rawPacket: 'GET /aaa', bytesParsed: 8 }],
    [414, { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('GET /aaa'), bytesParsed: 8 }],
    [414, { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('GET /aaa\n'), bytesParsed: 8 }],
    [431, { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('GET /aaa\n'), bytesParsed: 9 }],
    [431, { code: 'HPE_HEADER_OVERFLOW', rawPacket: Buffer.from('x: GET /aaa'), bytesParsed: 11 }],
  ])('answers %i to %j, and closes', (status, error) => {
    answer(error);
    expect(refused()).toBe(status);
    expect(socket.writableEnded).toBe(true);
    expect(socket.destroyed).toBe(false);
  });

  it.each([{}, { code: 'ECONNRESET' }, { code: 'ERR_STREAM_DESTROYED' }])(
    'is silent where the connection failed: %j',
    (error) => {
      answer(error);
      expect(socket).toMatchObject({ written: '', destroyed: true });
    },
  );

  it('is silent where nobody reads', () => {
    socket.end();
    answer({ code: 'HPE_INVALID_METHOD' });
    expect(socket).toMatchObject({ written: '', destroyed: true });
  });

  it('answers once, however often the parser complains', () => {
    for (let times = 0; times < 3; times += 1) answer({ code: 'HPE_INVALID_METHOD' });
    expect(socket.written.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('says nothing more on a connection that is being closed', () => {
    lingeringClose(socket as unknown as Socket, 100);
    answer({ code: 'HPE_INVALID_METHOD' });
    expect(socket.written).toBe('');
  });

  describe('when there are answers to earlier requests', () => {
    const earlier = (complete: boolean, headersSent = false): EventEmitter =>
      Object.assign(new EventEmitter(), { req: { complete }, headersSent });

    it('waits for its turn', () => {
      const first = earlier(true);
      socket._httpMessage = first;
      answer({ code: 'HPE_INVALID_METHOD' });
      expect(socket.written).toBe('');
      socket._httpMessage = null;
      first.emit('finish');
      expect(refused()).toBe(400);
    });

    it.each([
      ['is closing', () => lingeringClose(socket as unknown as Socket, 100)],
      ['is closed', () => socket.end()],
    ])('is silent if the connection %s when its turn comes', (_, close) => {
      const first = earlier(true);
      socket._httpMessage = first;
      answer({ code: 'HPE_INVALID_METHOD' });
      socket._httpMessage = null;
      close();
      first.emit('finish');
      expect(socket.written).toBe('');
    });

    it('takes the place of the answer to this very request while that has not begun', () => {
      socket._httpMessage = earlier(false);
      answer({ code: 'HPE_INVALID_CHUNK_SIZE' });
      expect(refused()).toBe(400);
    });

    it('does not follow the answer to this very request', () => {
      socket._httpMessage = earlier(false, true);
      answer({ code: 'HPE_INVALID_CHUNK_SIZE' });
      expect(socket).toMatchObject({ written: '', destroyed: true });
    });

    it.each([
      [false, ''],
      [true, 'HTTP/1.1 400'],
    ])('knows by the parser whether this request is answered while it arrives: complete %j', (complete, begin) => {
      socket.parser = { incoming: { complete } };
      answer({ code: 'HPE_INVALID_CHUNK_SIZE' });
      expect(socket.written.slice(0, 12)).toBe(begin);
      expect(socket.destroyed).toBe(begin === '');
    });
  });
});
