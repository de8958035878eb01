import { listenError } from './start-error';

it('a start whose port is the last one, and in use, suggests the port before it', () => {
  const error = Object.assign(new Error(), { code: 'EADDRINUSE', syscall: 'listen' });
  const advised = listenError(error, { host: '::1', port: 65535, setting: 'PORT' });
  expect((advised as Error).message).toMatch(/^Port 65535 on ::1 is in use\. .* PORT=65534 npm start$/);
});
