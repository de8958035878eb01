import { Types } from 'mongoose';
import type { File } from '../../src/files/file.schema';
import { FileSweep } from '../../src/files/file-sweep';
import type { FileDto } from '../../src/files/file.dto';
import type { Organization } from '../../src/organizations/organization.schema';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import type { User } from '../../src/users/user.schema';
import { addManager, createOrganization } from '../support/records';
import type { ApiResponse } from '../support/client';
import { Client, Service, startService } from '../support/service';
import { upload, uploaded } from './uploads';

const ROUNDS = 100;
/** A slow machine plays fewer rounds (ms). */
const PATIENCE = 4000;

/** What a loser of a race may get: what it would have got by coming second, or 1510 (contract §1.8). */
const outcome = ({ status, body }: ApiResponse): string =>
  status < 300 ? 'done' : String(body.code === 1024 ? body.message[0].code : body.code);

describe('races of files', () => {
  let service: Service;
  let ada: Client;
  const files = () => service.model<File>('File');
  const organizations = () => service.model<Organization>('Organization');
  const setLogo = (client: Client, { _id, ...fields }: OrganizationDto, file: FileDto) =>
    client.put(`/organizations/${_id}`, { ...fields, organizationLogoFileId: file._id });

  beforeAll(async () => {
    service = await startService();
    ada = await service.account();
  });
  beforeEach(() => Promise.all([files().deleteMany({}), organizations().deleteMany({})]));
  afterAll(() => service.stop());

  /** Logos and their Organizations name each other, and nothing else does. */
  async function expectWholeReferences(): Promise<void> {
    const logos = await organizations()
      .find({ organizationLogoFileId: { $ne: null } })
      .lean();
    const attached = await files()
      .find({ organizationId: { $ne: null } })
      .lean();
    const byOrganization = logos.map(
      ({ _id, organizationLogoFileId }) => `${_id.toHexString()} ${organizationLogoFileId?.toHexString()}`,
    );
    const byFile = attached.map(({ _id, organizationId }) => `${organizationId?.toHexString()} ${_id.toHexString()}`);
    expect(byFile.sort()).toEqual(byOrganization.sort());
    expect(await files().countDocuments({ organizationId: null, unattachedSince: null })).toBe(0);
  }

  async function rounds(play: (round: number) => Promise<string[]>, allowed: readonly string[]): Promise<void> {
    const end = Date.now() + PATIENCE;
    for (let round = 0; round < ROUNDS && Date.now() < end; round += 1) {
      const outcomes = await play(round);
      expect(allowed).toContain(outcomes.join(' '));
      await expectWholeReferences();
    }
  }

  it('a logo that is set and deleted at once is either', async () => {
    const organization = await createOrganization(ada);
    await rounds(async () => {
      const file = await uploaded(ada);
      const answers = await Promise.all([setLogo(ada, organization, file), ada.delete(`/files/${file._id}`)]);
      await ada.put(`/organizations/${organization._id}`, organization);
      await files().deleteMany({});
      return answers.map(outcome);
    }, ['done 1509', '5012 done', 'done 1510', '1510 done']);
  }, 60_000);

  it('a file that two Organizations take as their logo at once is one’s', async () => {
    const [one, two] = [await createOrganization(ada), await createOrganization(ada)];
    await rounds(async () => {
      const file = await uploaded(ada);
      const answers = await Promise.all([one, two].map((organization) => setLogo(ada, organization, file)));
      await expectWholeReferences();
      for (const { _id, ...fields } of [one, two]) await ada.put(`/organizations/${_id}`, fields);
      await files().deleteMany({});
      return answers.map(outcome);
    }, ['done 5012', '5012 done']);
  }, 60_000);

  it('a file that becomes a logo when it is due is either swept or a logo', async () => {
    const organization = await createOrganization(ada);
    await rounds(async () => {
      const file = await uploaded(ada);
      await files().updateOne({ _id: new Types.ObjectId(file._id) }, { $set: { unattachedSince: new Date(0) } });
      const [answer, swept] = await Promise.all([setLogo(ada, organization, file), service.app.get(FileSweep).sweep()]);
      await expectWholeReferences();
      await ada.put(`/organizations/${organization._id}`, organization);
      await files().deleteMany({});
      return [outcome(answer), String(swept)];
    }, ['done 0', '5012 1']);
  }, 60_000);

  it('a logo that is set while its Organization is deleted goes with it or stays unattached', async () => {
    await rounds(async () => {
      const [organization, file] = [await createOrganization(ada), await uploaded(ada)];
      const answers = await Promise.all([
        setLogo(ada, organization, file),
        ada.delete(`/organizations/${organization._id}`),
      ]);
      const left = await files().countDocuments({});
      await files().deleteMany({});
      return [...answers.map(outcome), String(left)];
    }, ['done done 0', '1234 done 1', '1200 done 1', 'done 1510 1', '1510 done 1']);
  }, 60_000);

  it('of files that are uploaded, or set as logos, while their user is deleted, no unattached one is left', async () => {
    const organization = await createOrganization(ada);
    await rounds(
      async (round) => {
        const eve = await service.account({ username: `eve-${round}`, email: `eve-${round}@roster.example` });
        await addManager(ada, organization._id, eve.id);
        const file = await uploaded(eve);
        const deletion = service.admin.delete(`/users/${eve.id}`);
        const answers = await Promise.all([deletion, upload(eve), setLogo(eve, organization, file)]);
        const isGone = (await service.model<User>('User').exists({ _id: eve.id })) === null;
        const left = await files().countDocuments({ organizationId: null });
        await expectWholeReferences();
        await ada.put(`/organizations/${organization._id}`, organization);
        await files().deleteMany({});
        return isGone ? [outcome(answers[0]), String(left)] : [outcome(answers[0])];
      },
      ['done 0', '1510'],
    );
  }, 60_000);

  it('of 30 uploads at once 20 files are kept at most, and those that were answered with 201', async () => {
    const eve = await service.account();
    const answers = await Promise.all(Array.from({ length: 30 }, () => upload(eve)));
    const outcomes = answers.map(outcome);
    const kept = await files().countDocuments({});
    expect(kept).toBeLessThanOrEqual(20);
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(kept);
    expect([...new Set(outcomes)].filter((one) => !['done', '1510', '1511'].includes(one))).toEqual([]);
    while ((await files().countDocuments({})) < 20) await uploaded(eve);
    expect(outcome(await upload(eve))).toBe('1511');
  }, 60_000);

  it('of two uploads at the 20th file one is kept', async () => {
    const eve = await service.account();
    for (let count = 0; count < 19; count += 1) await uploaded(eve);
    await rounds(async () => {
      const answers = await Promise.all([upload(eve), upload(eve)]);
      expect(await files().countDocuments({})).toBe(20);
      await files().deleteOne({});
      return answers.map(outcome).sort();
    }, ['1511 done']);
  }, 60_000);
});
