import { Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { useNamed } from '../../../../test/support/connection';
import { inContext } from '../../records/transactions/context';
import { Transactions } from '../../records/transactions/transactions';
import { eventCounts, logSecurity } from './security-events';

const { connection, insert } = useNamed('security');
const request = { address: '192.0.2.1', requestId: 'r1' };
const logout = { msg: 'Logout', event: 'logout' };
const logged = jest.spyOn(Logger.prototype, 'log').mockImplementation();
beforeEach(() => {
  logged.mockClear();
  eventCounts.clear();
});

const lines = (): unknown[] => logged.mock.calls.map(([line]) => line as unknown);

describe('a line of the security log', () => {
  it('has the account that acts, with the address and the id of its request', () => {
    const account = { _id: new Types.ObjectId(), username: 'ada' };
    inContext({ ...request, account: () => account }, () => logSecurity('logout', { sessionId: 's' }));
    expect(lines()).toEqual([{ ...logout, ...request, actor: String(account._id), sessionId: 's' }]);
  });

  it('has the operator of a command as its actor, and none where nobody is known', () => {
    inContext({ operator: 'grace' }, () => logSecurity('adminCommand'));
    logSecurity('logout');
    expect(lines()).toEqual([{ msg: 'Admin command', event: 'adminCommand', actor: 'grace' }, logout]);
  });

  it('names whom its event names, where the request has no account yet', () => {
    inContext(request, () => logSecurity('login', { actor: 'u1' }));
    expect(lines()).toEqual([{ msg: 'Login', event: 'login', ...request, actor: 'u1' }]);
  });

  it('is written once its write is committed, and never for one that fails', async () => {
    const transactions = new Transactions(connection);
    await transactions.run(async () => {
      logSecurity('logout');
      await insert('a');
      expect([lines(), eventCounts.size]).toEqual([[], 0]);
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

  it('is counted by its event', () => {
    for (const event of ['login', 'logout', 'login'] as const) logSecurity(event);
    expect(Object.fromEntries(eventCounts)).toEqual({ login: 2, logout: 1 });
  });
});
