import { Service } from './service';

describe('a service whose start has failed', () => {
  it('can be stopped, so a test shows why it did not start', async () => {
    const service = new Service({ PORT: 'none' });
    await expect(service.start()).rejects.toThrow('PORT');
    await expect(service.stop()).resolves.toBeUndefined();
  });
});
