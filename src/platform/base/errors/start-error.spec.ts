import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError, StartError, startErrorText } from './start-error';

it('a start whose port is the last one, and in use, suggests the port before it', () => {
  const error = Object.assign(new Error(), { code: 'EADDRINUSE', syscall: 'listen' });
  const advised = listenError(error, { host: '::1', port: 65535, setting: 'PORT' });
  expect((advised as Error).message).toMatch(/^Port 65535 on ::1 is in use\. .* PORT=65534 npm start$/);
});

it('a start at an address that this machine does not have names the setting to change', async () => {
  const [error] = (await once(createServer().listen(0, '203.0.113.9'), 'error')) as [Error];
  for (const [setting, host] of [
    ['PORT', 'HOST'],
    ['MANAGEMENT_PORT', 'MANAGEMENT_HOST'],
  ] as const) {
    const { message } = listenError(error, { host: '203.0.113.9', port: 0, setting }) as Error;
    expect(message).toContain(`does not have the address 203.0.113.9. Set ${host} to one that it has`);
  }
});

it('a failed start writes no character of a file or a setting to the terminal that controls it', () => {
  const error = new StartError('The file has "\u001b[31mü\u009b\u202e".\nExport it again.');
  expect(startErrorText(error)).toBe('The file has "\\u{1b}[31mü\\u{9b}\\u{202e}".\nExport it again.');
});

it.each([
  ['EADDRINUSE', 'listen', 'choose a port: PORT=80 npm start'],
  ['EACCES', 'listen', 'may not open port 79. Set PORT to a port above 1023.'],
  ['ENOTFOUND', 'getaddrinfo', 'The host name x cannot be resolved. Set HOST to an address'],
])('a start that fails with %s says what to do', (code, syscall, advice) => {
  const error = Object.assign(new Error('failed'), { code, syscall });
  const advised = listenError(error, { host: 'x', port: 79, setting: 'PORT' }) as StartError;
  expect(advised.message).toContain(advice);
  expect(advised).toMatchObject({ name: 'StartError', cause: error });
});

it('another error stays as it is, and is shown with its trace', () => {
  const address = { host: 'x', port: 79, setting: 'PORT' } as const;
  for (const own of [{}, { code: 'EPIPE', syscall: 'listen' }, { code: 'EACCES', syscall: 'open' }]) {
    const error = Object.assign(new Error('failed'), own);
    expect(listenError(error, address)).toBe(error);
    expect(startErrorText(error)).toBe(error.stack);
  }
  expect([startErrorText(Object.assign(new Error('a'), { stack: undefined })), startErrorText('b')]).toEqual([
    'a',
    'b',
  ]);
});
