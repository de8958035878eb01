import type { File } from '../../../src/registry/files/file.schema';
import type { FileDto } from '../../../src/registry/files/file.dto';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { filePart, form, FORM_TYPE, gif, jpeg, webp } from '../../support/images';
import { addManager, createOrganization, etag, NOTHING } from '../../support/records';
import { Client, useService } from '../../support/service';
import { png } from '../../support/uploads.mjs';
import { upload, uploaded } from './uploads';

const MIB = 1024 * 1024;

describe('files', () => {
  const service = useService({ BODY_LIMIT: '1024' });
  let ada: Client;
  const stored = (filter: object = {}) => service.model<File>('File').find(filter).schemaLevelProjections(false).lean();

  beforeAll(async () => {
    ada = await service.account();
  });
  beforeEach(() => service.model<File>('File').deleteMany({}));

  describe('POST /files', () => {
    it('stores an image, larger than BODY_LIMIT, and returns its record', async () => {
      const data = png(300, 200, 5000);
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
          size: 5000,
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

    it('returns each image as it was uploaded, even if it is truncated or continues after its end', async () => {
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

    it('reports all errors of the form at once, one per name', async () => {
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

  describe('GET /files', () => {
    it('lists the caller’s own files, and to an Admin those of all Users or of one', async () => {
      const bob = await service.account();
      const [one, two] = [await uploaded(ada), await uploaded(bob)];
      const logo = await uploaded(ada);
      const { _id: organizationId } = await createOrganization(ada, { organizationLogoFileId: logo._id });
      const [all, own, none] = [[one, two, { ...logo, organizationId }], [one, { ...logo, organizationId }], []];
      const list = async (client: Client, query = '') => (await client.get(`/files${query}`)).body.data;
      expect(await list(ada)).toEqual(own);
      expect(await list(ada, `?createdBy=${ada.id}`)).toEqual(own);
      expect(await list(ada, `?createdBy=${bob.id}`)).toEqual(none);
      expect(await list(service.admin)).toEqual(all);
      expect(await list(service.admin, `?createdBy=${ada.id}`)).toEqual(own);
      expect(await list(service.admin, `?createdBy=${NOTHING}`)).toEqual(none);
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

  it('is asked for before a cached copy is used: who may no longer read it gets nothing of it', async () => {
    const [eve, { _id }] = [await service.account(), await uploaded(ada)];
    const { headers } = await ada.get(`/files/${_id}`);
    // What a browser sends that has the bytes of another account (RFC 9111 §5.2.2.4).
    const cached = { 'if-none-match': headers.etag };
    expectError(await eve.get(`/files/${_id}`, cached), 'forbidden', expect.any(String));
    expectError(await service.nobody.get(`/files/${_id}`, cached), 'noCredentials');
    await ada.delete(`/files/${_id}`);
    expectError(await ada.get(`/files/${_id}`, cached), 'fileNotFound');
  });

  describe('DELETE /files/:id', () => {
    it('deletes that file, and no other', async () => {
      const [one, two, three] = [await uploaded(ada), await uploaded(ada), await uploaded(ada)];
      expect((await ada.delete(`/files/${two._id}`)).status).toBe(204);
      expectError(await ada.delete(`/files/${two._id}`), 'fileNotFound');
      expect((await stored()).map((file) => file._id.toHexString())).toEqual([one._id, three._id]);
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
