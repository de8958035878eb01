import type { File } from '../../../src/registry/files/file.schema';
import { FilesService } from '../../../src/registry/files/files.service';
import type { FileDto } from '../../../src/registry/files/file.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { ApiResponse, Client } from '../../support/client';
import { Expected, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { createOrganization, etag } from '../../support/records';
import { useService } from '../../support/service';
import { uploaded } from './uploads';

const LOGO = 'organizationLogoFileId';

const service = useService();
let ada: Client;
let organization: OrganizationDto;
let file: FileDto;
beforeAll(async () => {
  ada = await service.account();
});
beforeEach(async () => {
  await service.model<File>('File').deleteMany({});
  organization = await createOrganization(ada);
  file = await uploaded(ada);
});

const count = (): Promise<number> => service.model('File').countDocuments();
const ownerOf = async (): Promise<string | undefined> =>
  (await service.stored<File>('File', file._id))?.organizationId?.toHexString();
const setLogo = (organizationLogoFileId: string | null): Promise<ApiResponse> =>
  ada.put(`/organizations/${organization._id}`, { ...organization, [LOGO]: organizationLogoFileId });
const removeFile = (): Promise<ApiResponse> => service.admin.delete(`/files/${file._id}`);
const sweep = (): Promise<number> => service.app.get(FilesService).sweep();
/** Makes all files due for the sweep. */
const outdate = (): Promise<unknown> =>
  service.model<File>('File').updateMany({}, { $set: { unattachedSince: new Date(0) } });

describe.each(MOMENTS)('%s', (moment) => {
  const replace = async (): Promise<unknown> => [await setLogo(file._id), await setLogo(null)];

  it.each<[string, () => Promise<unknown>, Expected, () => string | undefined]>([
    ['it is deleted: not found', removeFile, 'fileNotFound', () => undefined],
    ['its Organization is deleted with it: not found', leaveWithOrganization, 'fileNotFound', () => undefined],
    ['it becomes a logo: it is in use', () => setLogo(file._id), 'fileInUse', () => organization._id],
    ['it becomes a logo and is replaced: it is deleted', replace, 204, () => undefined],
  ])('of DELETE /files/:id %s', async (_title, event, expected, owner) => {
    await uploaded(ada);
    const request = (): Promise<ApiResponse> => ada.delete(`/files/${file._id}`, { 'if-match': etag(0) });
    expectOutcome(await meanwhile(service, moment, event, request), expected);
    expect([await count(), await ownerOf()]).toEqual([owner() ? 2 : 1, owner()]);
  });

  async function leaveWithOrganization(): Promise<unknown> {
    return [await setLogo(file._id), await ada.delete(`/organizations/${organization._id}`)];
  }

  it('of a PUT of the logo the file is swept: it names nothing', async () => {
    await outdate();
    const response = await meanwhile(service, moment, sweep, () => setLogo(file._id));
    expectOutcome(response, ['namesNothing', LOGO]);
    expect(await count()).toBe(0);
    expect((await ada.get(`/organizations/${organization._id}`)).body).toEqual(organization);
  });
});
