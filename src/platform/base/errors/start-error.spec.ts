import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError, StartError, startErrorText } from './start-error';

it('a start at an address that this machine does not have names the settings to change; another error stays', async () => {
  const [error] = (await once(createServer().listen(0, '203.0.113.9'), 'error')) as [Error];
  const address = { host: '203.0.113.9', port: 0, setting: 'MANAGEMENT_PORT' } as const;
  const { message } = listenError(error, address) as Error;
  expect(message).toMatch(
    /^Cannot listen on 203\.0\.113\.9, port 0: .*\. Change MANAGEMENT_PORT or MANAGEMENT_HOST\.$/,
  );
  const other = new Error('failed');
  expect(listenError(other, address)).toBe(other);
});

it('a failed start writes no character of a file or a setting to the terminal that controls it', () => {
  const error = new StartError('The file has "\u001b[31mü\u009b\u202e".\nExport it again.');
  expect(startErrorText(error)).toBe('The file has "\\u{1b}[31mü\\u{9b}\\u{202e}".\nExport it again.');
});
