import { ApiResponse } from '../support/client';
import { expectError } from '../support/expect-error';
import { startService, useService } from '../support/service';

/** In a file of its own: Passport has one JWT strategy per process, the one of the instance that started last. */
const service = useService();

describe('POST /tokens while JWT_SECRET is rotated', () => {
  it('gives the same successor by every instance that has the key, in whichever order', async () => {
    const keys = ['the secret of an instance that is not restarted yet', 'the secret that all are about to have'];
    const { refreshToken } = await service.registered();
    const refreshAt = async (secrets: string[]): Promise<ApiResponse> => {
      const instance = await startService({ MONGODB_URI: service.databaseUri, JWT_SECRET: secrets.join() });
      const response = await instance.nobody.post('/tokens', { refreshToken });
      await instance.stop();
      return response;
    };
    const [first, second] = await Promise.all([keys, [...keys].reverse()].map(refreshAt));
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(second?.body.data.refreshToken).toBe(first?.body.data.refreshToken);
    // Afterwards: the first instance to see a token makes its successor.
    expectError(await refreshAt(['x'.repeat(40)]), 'refreshTokenUnusable');
    const next = await service.nobody.post('/tokens', { refreshToken: first?.body.data.refreshToken });
    expect(next.status).toBe(201);
  });
});
