import { Types } from 'mongoose';
import { HourlySweeps } from '../../../src/platform/records/start/hourly-sweeps';
import type { FileDto } from '../../../src/registry/files/file.dto';
import type { File } from '../../../src/registry/files/file.schema';
import { FilesService } from '../../../src/registry/files/files.service';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { addManager, createOrganization, NOTHING, organizationBody } from '../../support/records';
import { Client, useService } from '../../support/service';
import { upload, uploaded } from './uploads';

const DAY = 24 * 60 * 60 * 1000;
const LOGO = 'organizationLogoFileId';

describe('a logo', () => {
  const service = useService();
  let ada: Client;
  let bob: Client;
  let organization: OrganizationDto;
  const path = (): string => `/organizations/${organization._id}`;
  const files = () => service.model<File>('File');
  const stored = (_id: string) => files().findById(new Types.ObjectId(_id)).schemaLevelProjections(false).lean();
  const put = (client: Client, fields: object) => client.put(path(), { ...organization, managerIds: null, ...fields });
  const ownerOf = async (_id: string) => (await stored(_id))?.organizationId?.toHexString() ?? null;

  beforeAll(async () => {
    [ada, bob] = [await service.account(), await service.account()];
  });
  beforeEach(async () => {
    await files().deleteMany({});
    organization = await createOrganization(ada);
  });

  it('is accepted by POST /organizations, and the File then has the id of the Organization', async () => {
    const { _id } = await uploaded(ada);
    const made = await createOrganization(ada, { [LOGO]: _id });
    expect(made.organizationLogoFileId).toBe(_id);
    expect(await stored(_id)).toMatchObject({ organizationId: new Types.ObjectId(made._id), unattachedSince: null });
  });

  it('is a file of the caller’s that is no other logo, else 5012 and nothing is written', async () => {
    const [taken, foreign] = [await uploaded(ada), await uploaded(bob)];
    await createOrganization(ada, { [LOGO]: taken._id });
    for (const id of [taken._id, foreign._id, NOTHING]) {
      expectFieldErrors(await put(ada, { [LOGO]: id, name: 'Changed' }), ['namesNothing', LOGO]);
      expectFieldErrors(await ada.post('/organizations', organizationBody({ [LOGO]: id })), ['namesNothing', LOGO]);
    }
    expect((await ada.get(path())).body).toEqual(organization);
    expect(await ownerOf(foreign._id)).toBeNull();
  });

  it('may be anyone’s file when an Admin sets it, but no other logo', async () => {
    const [taken, foreign] = [await uploaded(ada), await uploaded(bob)];
    await createOrganization(ada, { [LOGO]: taken._id });
    expect((await put(service.admin, { [LOGO]: foreign._id })).status).toBe(200);
    expectFieldErrors(await put(service.admin, { [LOGO]: taken._id }), ['namesNothing', LOGO]);
    expect(await ownerOf(foreign._id)).toBe(organization._id);
  });

  it('is kept by a manager who did not upload it, and changes nothing when it is PUT back', async () => {
    const { _id } = await uploaded(ada);
    await put(ada, { [LOGO]: _id });
    await addManager(ada, organization._id, bob.id);
    const answer = await put(bob, { [LOGO]: _id, description: 'Changed' });
    expect(answer).toMatchObject({ status: 200, body: { data: { organizationLogoFileId: _id } } });
    const again = await put(bob, { [LOGO]: _id, description: 'Changed' });
    expect(again.headers.etag).toBe(answer.headers.etag);
    expect(await ownerOf(_id)).toBe(organization._id);
  });

  it.each([
    ['cleared', null],
    ['left out', undefined],
  ])('%s, is its uploader’s unattached file again, for another day', async (_how, value) => {
    const { _id } = await uploaded(ada);
    await put(ada, { [LOGO]: _id });
    await files().updateOne({ _id: new Types.ObjectId(_id) }, { $set: { createdAt: new Date(0) } });
    expect((await put(ada, { [LOGO]: value })).body.data.organizationLogoFileId).toBeNull();
    const detached = await stored(_id);
    expect(detached).toMatchObject({ organizationId: null, unattachedSince: expect.any(Date) });
    await service.app.get(FilesService).sweep();
    expect(await stored(_id)).toEqual(detached);
    expect((await put(ada, { [LOGO]: _id })).status).toBe(200);
  });

  it('does not count to the 20 files of its uploader, not even after it was replaced', async () => {
    const eve = await service.account();
    const mine = await createOrganization(eve);
    const change = async (logo: string | null) =>
      expect((await eve.put(`/organizations/${mine._id}`, { ...mine, [LOGO]: logo })).status).toBe(200);
    for (let count = 0; count < 21; count += 1) {
      const { _id } = await uploaded(eve);
      await change(_id);
      // As a logo of an earlier version.
      if (count === 0) await files().updateOne({ _id: new Types.ObjectId(_id) }, { $unset: { wasLogo: 1 } });
    }
    for (let count = 0; count < 20; count += 1) await uploaded(eve);
    expectError(await upload(eve), 'tooManyFiles');
    await uploaded(ada);
    const listed = (await eve.get('/files')).body.data as FileDto[];
    const [replaced, unused] = [listed[0]!, listed[21]!];
    await change(replaced._id);
    await change(null);
    expect(await ownerOf(replaced._id)).toBeNull();
    expect((await eve.delete(`/files/${replaced._id}`)).status).toBe(204);
    expectError(await upload(eve), 'tooManyFiles');
    expect((await eve.delete(`/files/${unused._id}`)).status).toBe(204);
    await uploaded(eve);
  });

  it('is not swept, however old; what is unattached for more than a day is', async () => {
    const [logo, old, young] = [await uploaded(ada), await uploaded(ada), await uploaded(ada)];
    await put(ada, { [LOGO]: logo._id });
    const age = (_id: string, milliseconds: number, field = 'unattachedSince') =>
      files().updateOne({ _id: new Types.ObjectId(_id) }, { $set: { [field]: new Date(Date.now() - milliseconds) } });
    await age(logo._id, 9 * DAY, 'createdAt');
    await age(old._id, DAY + 1000);
    await age(young._id, DAY - 60_000);
    await service.app.get(HourlySweeps).sweep();
    const left = (await files().find().schemaLevelProjections(false).lean()).map(({ _id }) => _id.toHexString());
    expect(left.sort()).toEqual([logo._id, young._id].sort());
    expect(await service.app.get(FilesService).sweep()).toBe(0);
  });
});
