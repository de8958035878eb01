import type { File } from '../../src/files/file.schema';
import { FileSweep } from '../../src/files/file-sweep';
import { FilesService } from '../../src/files/files.service';
import type { FileDto } from '../../src/files/file.dto';
import { Transactions } from '../../src/database/transactions';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { png } from '../support/images';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { createOrganization } from '../support/records';
import { Service, startService } from '../support/service';
import { upload, uploaded } from './uploads';

const LOGO = 'organizationLogoFileId';

let service: Service;
let files: FilesService;
let ada: Client;
let organization: OrganizationDto;
beforeAll(async () => {
  service = await startService();
  files = service.app.get(FilesService);
  ada = await service.account();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.model<File>('File').deleteMany({});
  organization = await createOrganization(ada);
});
afterEach(() => jest.restoreAllMocks());

const stored = (): Promise<File[]> => service.model<File>('File').find().lean();
const ownersOf = async (): Promise<(string | undefined)[]> =>
  (await stored()).map(({ organizationId }) => organizationId?.toHexString());
const setLogo = (organizationLogoFileId: string | null, headers = {}): Promise<ApiResponse> =>
  ada.put(`/organizations/${organization._id}`, { ...organization, [LOGO]: organizationLogoFileId }, headers);

describe('POST /files, when after its judgement', () => {
  /** So many unattached files more, without the twenty requests. */
  async function fill(count: number): Promise<void> {
    const { _id: _, ...file } = (await service
      .model<File>('File')
      .findById((await uploaded(ada))._id)
      .select('+data')
      .lean())!;
    await service.model<File>('File').insertMany(Array.from({ length: count - 1 }, () => file));
  }

  it('the caller is deleted: there is no such account, and no file', async () => {
    const leaver = await service.account();
    meanwhile(files, 'create', () => service.admin.delete(`/users/${leaver.id}`));
    expectFailure(await upload(leaver), 'accountGone');
    expect(await stored()).toEqual([]);
  });

  it('the caller uploads a 20th: one more is refused', async () => {
    meanwhile(files, 'create', () => fill(20));
    expectFailure(await upload(ada), 'tooManyFiles');
    expect(await stored()).toHaveLength(20);
  });

  it('the caller uploads a 19th: it is the 20th', async () => {
    meanwhile(files, 'create', () => fill(19));
    expect((await upload(ada)).status).toBe(201);
    expect(await stored()).toHaveLength(20);
  });

  it('one of twenty becomes a logo: there is room', async () => {
    await fill(20);
    const [first] = await stored();
    meanwhile(files, 'create', () => setLogo(String(first?._id)));
    expect((await upload(ada)).status).toBe(201);
    expect(await stored()).toHaveLength(21);
  });
});

describe('GET /files/:id, when after its judgement', () => {
  const leaving: [string, (id: string) => Promise<unknown>][] = [
    ['it is deleted', (id) => ada.delete(`/files/${id}`)],
    ['it is swept', () => sweep()],
  ];

  it.each(leaving)('%s: there is none, and others are not taken for it', async (_title, leave) => {
    const { _id } = await uploaded(ada);
    await outdate();
    await uploaded(ada, png(2, 2));
    meanwhile(files, 'read', () => leave(_id));
    expectFailure(await ada.get(`/files/${_id}`), 'fileNotFound');
    expect(await stored()).toHaveLength(1);
  });
});

describe('DELETE /files/:id, when after its judgement', () => {
  let file: FileDto;
  beforeEach(async () => {
    await uploaded(ada);
    file = await uploaded(ada);
  });
  const remove = (headers = {}): Promise<ApiResponse> => ada.delete(`/files/${file._id}`, headers);

  it.each([
    ['somebody else deletes it', () => service.admin.delete(`/files/${file._id}`)],
    ['its Organization is deleted with it', leaveWithOrganization],
  ])('%s: there is none, and the other file stays', async (_title, leave) => {
    meanwhile(files, 'remove', leave);
    expectFailure(await remove({ 'if-match': '"1-0"' }), 'fileNotFound');
    expect(await stored()).toHaveLength(1);
  });

  it('it becomes a logo: it is in use, and stays', async () => {
    meanwhile(files, 'remove', () => setLogo(file._id));
    expectFailure(await remove({ 'if-match': '"1-0"' }), 'fileInUse');
    expect(await ownersOf()).toEqual([undefined, organization._id]);
  });

  it('it becomes a logo and is replaced: it goes', async () => {
    meanwhile(files, 'remove', async () => [await setLogo(file._id), await setLogo(null)]);
    expect((await remove()).status).toBe(204);
    expect((await stored()).map(({ _id }) => _id.toHexString())).not.toContain(file._id);
  });

  async function leaveWithOrganization(): Promise<void> {
    await setLogo(file._id);
    await ada.delete(`/organizations/${organization._id}`);
  }
});

describe('the sweep, when a file that is due', () => {
  it('is about to become a logo: the file goes, and is no logo', async () => {
    const { _id } = await uploaded(ada);
    await outdate();
    meanwhile(service.app.get(Transactions), 'attempt', sweep);
    expectFaults(await setLogo(_id), ['namesNothing', LOGO]);
    expect(await stored()).toEqual([]);
    expect((await ada.get(`/organizations/${organization._id}`)).body).toEqual(organization);
  });

  it('has become a logo, and none again: it stays another day', async () => {
    const { _id } = await uploaded(ada);
    await outdate();
    await setLogo(_id);
    expect(await sweep()).toBe(0);
    await setLogo(null);
    expect(await sweep()).toBe(0);
    expect(await ownersOf()).toEqual([undefined]);
  });
});

const sweep = (): Promise<number> => service.app.get(FileSweep).sweep();

/** Makes all files that are there due for the sweep. */
async function outdate(): Promise<void> {
  await service.model<File>('File').updateMany({}, { $set: { unattachedSince: new Date(0) } });
}
