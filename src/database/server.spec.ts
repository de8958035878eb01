import type { Connection } from 'mongoose';
import { endAbandonedTransactions } from './server';

/** A connection to a server that responds like this to getParameter. */
function server(getParameter: () => Promise<object>): Connection {
  const command = (): Promise<object> => Promise.resolve({ version: '8.0.0' });
  return { db: { command, admin: () => ({ command: getParameter }) } } as unknown as Connection;
}

describe('a server that keeps the transactions of killed instances', () => {
  it('for more than 15 s is worth a warning', async () => {
    const warning = await endAbandonedTransactions(
      server(() => Promise.resolve({ transactionLifetimeLimitSeconds: 60 })),
    );
    expect(warning).toMatch(/^transactionLifetimeLimitSeconds is 60: .* Set it to 15\.$/);
  });

  it.each([
    ['for 15 s', () => Promise.resolve({ transactionLifetimeLimitSeconds: 15 })],
    ['for a time that the service may not read', () => Promise.reject(new Error('not authorized on admin'))],
  ])('%s is not', async (_, getParameter) => {
    expect(await endAbandonedTransactions(server(getParameter))).toBeUndefined();
  });
});
