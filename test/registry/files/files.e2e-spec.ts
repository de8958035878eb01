import { Types } from 'mongoose';
import { HourlySweeps } from '../../../src/platform/records/start/hourly-sweeps';
import type { FileDto } from '../../../src/registry/files/file.dto';
import type { File } from '../../../src/registry/files/file.schema';
import { FilesService } from '../../../src/registry/files/files.service';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { gif, jpeg, webp } from '../../support/images';
import { addManager, createOrganization, etag, NOTHING, organizationBody } from '../../support/records';
import { Client, useService } from '../../support/service';
import { filePart, form, FORM_TYPE, png } from '../../support/uploads.mjs';
import { upload, uploaded } from './uploads';

const MIB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;
const LOGO = 'organizationLogoFileId';

describe('files', () => {
  const service = useService();
  let ada: Client;
  const stored = (filter: object = {}) => service.model<File>('File').find(filter).schemaLevelProjections(false).lean();

  beforeAll(async () => {
    ada = await service.account();
  });
  beforeEach(() => service.model<File>('File').deleteMany({}));

  describe('POST /files', () => {
    it('stores an image, larger than a JSON body may be, and returns its record', async () => {
      const data = png(300, 200, 100_000);
      const response = await upload(ada, data, 'logo.png');
      const [file] = await stored();
      expect(response.status).toBe(201);
      expect(response.headers).toMatchObject({ location: `/files/${file?._id.toHexString()}`, etag: etag(0) });
      expect(response.body).toEqual({
        status: 'success',
        data: {
          _id: file?._id.toHexString(),
          fileName: 'logo.png',
          contentType: 'image/png',
          size: 100_000,
          createdBy: ada.id,
          createdAt: file?.createdAt.toISOString(),
          organizationId: null,
        },
      });
      expect(file).toMatchObject({ fileName: 'logo.png', organizationId: null, unattachedSince: expect.any(Date) });
    });

    it('recognizes an image by its content, not by the type of the part', async () => {
      const response = await ada.post('/files', form(filePart(jpeg(), 'x.html', 'text/html')), FORM_TYPE);
      expect(response.body.data).toMatchObject({ contentType: 'image/jpeg', fileName: 'x.html' });
      const unnamed = await ada.post('/files', form({ name: 'file', data: gif() }), FORM_TYPE);
      expectFieldErrors(unnamed, ['missing', 'file']);
    });

    it('returns 415 for a file that is not an image, sent as a PNG, and says how to convert an SVG', async () => {
      const message =
        'The file is not a PNG, JPEG, GIF or WebP image. Convert an SVG to PNG, for example with: rsvg-convert logo.svg -o logo.png';
      for (const data of ['', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'])
        expectError(await upload(ada, Buffer.from(data)), 'unsupportedMediaType', message);
      expect(await stored()).toEqual([]);
    });

    it('returns 5009 for an image that is too large, or whose dimensions cannot be read', async () => {
      for (const data of [png(4097, 1), png().subarray(0, 20)])
        expectFieldErrors(await upload(ada, data), ['outOfRange', 'file']);
      expect(await stored()).toEqual([]);
    });

    it('returns each image unchanged, even if it is truncated or continues after its end', async () => {
      const images = [png(9, 9).subarray(0, -16), Buffer.concat([gif(), Buffer.from('<html>')]), webp()];
      const files: FileDto[] = [];
      for (const image of images) files.push(await uploaded(ada, image));
      expect(files.map(({ size }) => size)).toEqual(images.map(({ length }) => length));
      for (const [at, { _id }] of files.entries()) expect((await ada.get(`/files/${_id}`)).bytes).toEqual(images[at]);
    });

    it('accepts 1 MiB and returns 413 for one byte more, and for too much around the file', async () => {
      expect((await upload(ada, png(1, 1, MIB))).body.data.size).toBe(MIB);
      const limit = 'The file is larger than 1,048,576 bytes.';
      for (const size of [MIB + 1, 2 * MIB]) expectError(await upload(ada, png(1, 1, size)), 'bodyTooLarge', limit);
      const around = form(filePart(), { name: 'other', data: Buffer.alloc(2 * MIB) });
      expectError(await ada.post('/files', around, FORM_TYPE), 'bodyTooLarge', limit);
      expect(await stored()).toHaveLength(1);
    });

    it('reports all errors of the form, one per name', async () => {
      const other = { name: 'other', data: 'x' };
      const send = (...parts: Parameters<typeof form>) => ada.post('/files', form(...parts), FORM_TYPE);
      expectFieldErrors(await send(), ['missing', 'file']);
      expectFieldErrors(await send(other), ['missing', 'file'], ['unknownField', 'other']);
      expectFieldErrors(await send(other, filePart(), other), ['unknownField', 'other']);
      expectFieldErrors(await send(filePart(), filePart()), ['unknownField', 'file']);
      const tooSmall = await send(filePart(png(0, 1)), filePart(), other);
      expectFieldErrors(tooSmall, ['outOfRange', 'file'], ['unknownField', 'other']);
      expect(await stored()).toEqual([]);
    });

    it('is 5001 on file when a person sends the form without a file', async () => {
      // What browsers send for <input type="file"> in which nothing was chosen.
      const none = filePart('', '', 'application/octet-stream');
      const send = (...parts: Parameters<typeof form>) => ada.post('/files', form(...parts), FORM_TYPE);
      expectFieldErrors(await send(none), ['missing', 'file']);
      expectFieldErrors(await send({ name: 'file', data: '' }), ['missing', 'file']);
      expectFieldErrors(await send(none, { ...none, name: 'other' }), ['missing', 'file'], ['unknownField', 'other']);
      expect((await send(none, filePart())).status).toBe(201);
      expect((await send(filePart(gif(), ''))).body.data).toMatchObject({ fileName: 'image.gif' });
    });

    it('has the name that the file has, in which browsers encode three characters', async () => {
      const sent = form(filePart(png(), 'a %22b%22%0D%0A 100%25%20%2.png'));
      const { body } = await ada.post('/files', sent, FORM_TYPE);
      expect(body.data).toMatchObject({ fileName: 'a "b" 100%25%20%2.png' });
    });

    it('checks the form, then the media type of the file, then the content', async () => {
      const text = form(filePart('text'), { name: 'other', data: 'x' });
      for (const body of [text.subarray(0, -30), ''])
        expectError(await ada.post('/files', body, FORM_TYPE), 'unusableBody', expect.any(String));
      expectError(await ada.post('/files', text, FORM_TYPE), 'unsupportedMediaType', expect.any(String));
    });
  });

  describe('GET /files/:id', () => {
    it('returns the bytes with their type, harmless if opened as a page', async () => {
      const data = png(300, 200, MIB);
      const { _id } = await uploaded(ada, data, 'Zürich.html');
      const { status, headers, bytes } = await ada.get(`/files/${_id}`);
      expect(status).toBe(200);
      expect(bytes.equals(data)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(MIB),
        'content-disposition': `inline; filename="Z_rich.html.png"; filename*=UTF-8''Z%C3%BCrich.html.png`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-cache, no-transform',
        etag: etag(0),
      });
    });

    it('returns 304 to clients that have them, and no body for HEAD', async () => {
      const { _id } = await uploaded(ada);
      const sent = { etag: etag(0), 'cache-control': 'private, no-cache, no-transform' };
      const sandbox = { ...sent, 'content-security-policy': "default-src 'none'; sandbox" };
      const known = { 'if-none-match': etag(0) };
      expect(await ada.get(`/files/${_id}`, known)).toMatchObject({ status: 304, text: '', headers: sandbox });
      const path = `/files/${_id}`;
      const whole = { 'content-type': 'image/png', 'content-length': String(png().length), etag: etag(0) };
      expect(await ada.send({ method: 'HEAD', path })).toMatchObject({ status: 200, text: '', headers: whole });
      const head = await ada.send({ method: 'HEAD', path, headers: known });
      expect(head).toMatchObject({ status: 304, headers: { etag: etag(0) } });
      expect(head.headers).not.toHaveProperty('content-length');
    });
  });

  it('are deleted with their User, except logos, which keep their creator', async () => {
    const eve = await service.account();
    const [kept, logo] = [await uploaded(ada), await uploaded(eve), await uploaded(eve)];
    const { _id } = await createOrganization(eve, { organizationLogoFileId: logo._id });
    await addManager(eve, _id, ada.id);
    expect((await eve.delete(`/users/${eve.id}`)).status).toBe(204);
    expect((await stored()).map((file) => [String(file._id), String(file.createdBy)])).toEqual([
      [kept._id, ada.id],
      [logo._id, eve.id],
    ]);
  });
});

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
  ])('%s, is an unattached file of its uploader, for another day', async (_how, value) => {
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
    const change = async (_id: string) =>
      expect((await eve.put(`/organizations/${mine._id}`, { ...mine, [LOGO]: _id })).status).toBe(200);
    const [replaced, logo] = [await uploaded(eve), await uploaded(eve)];
    for (const { _id } of [replaced, logo]) await change(_id);
    const others: FileDto[] = [];
    while (others.length < 20) others.push(await uploaded(eve));
    expect(await ownerOf(replaced._id)).toBeNull();
    expectError(await upload(eve), 'tooManyFiles');
    expect((await eve.delete(`/files/${replaced._id}`)).status).toBe(204);
    expectError(await upload(eve), 'tooManyFiles');
    expect((await eve.delete(`/files/${others[0]!._id}`)).status).toBe(204);
    await uploaded(eve);
  });

  it('is not swept, however old; a file that is unattached for more than a day is', async () => {
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
