import { readableMessage } from './pino-loggers';

const request = { method: 'GET', path: '/organizations', status: 401, requestId: 'r1' };

it.each([
  ['a request', { ...request, ms: 0, accountId: 'a1' }, 'GET /organizations 401 0 ms account a1 (r1)'],
  ['a message', { context: 'Database', msg: 'connected' }, 'Database: connected'],
  [
    'a message about a request',
    { ...request, context: 'Security', msg: 'Access refused' },
    'Security: Access refused GET /organizations 401 (r1)',
  ],
])('tells %s in one line', (_what, line, text) => expect(readableMessage(line)).toBe(text));
