import { Logger } from '@nestjs/common';
import { useNamed } from '../../../../test/support/connection';
import { Database } from '../../records/database';
import { Transactions } from '../../records/transactions/transactions';
import { logSecurity } from './security-events';

/** What requests do not show: test/platform/operations/security-log.e2e-spec.ts has the rest. */

const { connection, insert } = useNamed('security');
const logout = { msg: 'Logout', event: 'logout' };
const logged = jest.spyOn(Logger.prototype, 'log').mockImplementation();
const lines = (): unknown[] => logged.mock.calls.map(([line]) => line as unknown);
beforeEach(() => void logged.mockClear());

test('A line of the security log is written once its write is committed, and never for one that fails', async () => {
  const transactions = new Transactions(new Database(connection));
  await transactions.run(async () => {
    logSecurity('logout');
    await insert('a');
    expect(lines()).toEqual([]);
  });
  expect(lines()).toEqual([logout]);
  const failing = async (): Promise<void> => {
    logSecurity('login');
    await insert('b');
    throw new Error('disk full');
  };
  await expect(transactions.run(failing)).rejects.toThrow('disk full');
  expect(lines()).toEqual([logout]);
});
