import { Types } from 'mongoose';
import type { Api } from '../../src/apis/api.schema';
import { MAX_APIS, Organization } from '../../src/organizations/organization.schema';
import { createOrganization } from '../support/records';
import { Service, startService } from '../support/service';

/** Half of what the driver gives a command (`socketTimeoutMS`), so that a slower machine keeps it too. */
const PATIENCE_MS = 1500;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** As many Apis as an Organization holds, with texts as long as they may be. */
async function fill(organizationId: string): Promise<void> {
  const createdAt = new Date();
  const createdBy = new Types.ObjectId();
  const long = 'x'.repeat(1000);
  const apis = Array.from({ length: MAX_APIS }, (_, index): Api => {
    const slug = { text: `full-${index}`, base: 'full', index };
    return {
      _id: new Types.ObjectId(),
      organizationId: new Types.ObjectId(organizationId),
      name: `full ${index}`,
      nameKey: `full ${index}`,
      url: 'https://full.example',
      description: long,
      lifecycleStatus: 'design',
      isPublic: true,
      documentationUrl: null,
      slug,
      slugs: [slug],
      createdBy,
      searchText: long,
      referenceCount: 0,
      revision: 0,
      createdAt,
      updatedAt: createdAt,
    };
  });
  await service.model<Api>('Api').insertMany(apis);
  const organizations = service.model<Organization>('Organization');
  await organizations.updateOne({ _id: organizationId }, { $set: { apiCount: MAX_APIS } });
}

describe('DELETE /organizations/:id', () => {
  it('takes 1,000 Apis with it inside the time-outs', async () => {
    const { _id } = await createOrganization(service.admin);
    await fill(_id);
    const started = performance.now();
    const answer = await service.admin.delete(`/organizations/${_id}`);
    const took = performance.now() - started;
    if (process.env.TIMES) process.stderr.write(`DELETE with ${MAX_APIS} Apis: ${Math.round(took)} ms\n`);
    expect(answer).toMatchObject({ status: 204 });
    expect(await service.model('Api').countDocuments({ organizationId: _id })).toBe(0);
    expect(took).toBeLessThan(PATIENCE_MS);
  }, 60_000);
});
