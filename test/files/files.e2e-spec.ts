import { Types } from 'mongoose';
import type { File } from '../../src/files/file.schema';
import type { User } from '../../src/users/user.schema';
import { expectFailure, expectFaults } from '../support/expect-error';
import { BOUNDARY, filePart, form, FORM_TYPE, gif, jpeg, png, webp } from '../support/images';
import { etag, NO_IDS, NOTHING } from '../support/records';
import { Client, Service, startService } from '../support/service';
import { upload, uploaded } from './uploads';

const MIB = 1024 * 1024;

describe('files', () => {
  let service: Service;
  let ada: Client;
  let bob: Client;
  const stored = (filter: object = {}) => service.model<File>('File').find(filter).schemaLevelProjections(false).lean();

  beforeAll(async () => {
    service = await startService({ BODY_LIMIT: '1024' });
    [ada, bob] = [await service.account(), await service.account()];
  });
  beforeEach(() => service.model<File>('File').deleteMany({}));
  afterAll(() => service.stop());

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
      expect(file).toMatchObject({ fileName: 'logo.png', organizationId: null, unattachedSince: file?.createdAt });
    });

    it.each([
      ['image/png', png()],
      ['image/jpeg', jpeg()],
      ['image/gif', gif()],
      ['image/webp', webp()],
    ])('recognizes %s by its content, not by the type of the part', async (type, data) => {
      const response = await ada.post('/files', form(filePart(data, 'x.html', 'text/html')), FORM_TYPE);
      expect(response.body.data).toMatchObject({ contentType: type, fileName: 'x.html' });
    });

    it('accepts a part without file name or type', async () => {
      const response = await ada.post('/files', form({ name: 'file', data: gif() }), FORM_TYPE);
      expect(response.body.data).toMatchObject({ contentType: 'image/gif', fileName: 'image.gif' });
    });

    it.each(['', 'text', '<svg xmlns="http://www.w3.org/2000/svg"/>', '<!doctype html>', '%PDF-1.7'])(
      'returns 415 for %j, sent as a PNG',
      async (data) => {
        expectFailure(await upload(ada, Buffer.from(data)), 'unsupportedMediaType', expect.any(String));
        expect(await stored()).toEqual([]);
      },
    );

    it('returns 5009 for an image that is too large, or whose dimensions cannot be read', async () => {
      for (const data of [png(4097, 1), png(1, 4097), png(0, 1), png().subarray(0, 20), jpeg().subarray(0, 71)])
        expectFaults(await upload(ada, data), ['outOfRange', 'file']);
      expect(await stored()).toEqual([]);
    });

    it('returns an image as it was uploaded, even if it is truncated or continues after its end', async () => {
      for (const data of [png(9, 9).subarray(0, -16), Buffer.concat([gif(), Buffer.from('<html>')])]) {
        const { _id, size } = await uploaded(ada, data);
        expect(size).toBe(data.length);
        expect((await ada.get(`/files/${_id}`)).bytes).toEqual(data);
      }
    });

    it('accepts 1 MiB and returns 413 for one byte more, and for too much around the file', async () => {
      expect((await upload(ada, png(1, 1, MIB))).body.data.size).toBe(MIB);
      expectFailure(await upload(ada, png(1, 1, MIB + 1)), 'bodyTooLarge');
      const around = form(filePart(), { name: 'other', data: Buffer.alloc(2 * MIB) });
      expectFailure(await ada.post('/files', around, FORM_TYPE), 'bodyTooLarge');
      expect(await stored()).toHaveLength(1);
    });

    it('reports all errors of the form at once, one per name', async () => {
      const other = { name: 'other', data: 'x' };
      const send = (...parts: Parameters<typeof form>) => ada.post('/files', form(...parts), FORM_TYPE);
      expectFaults(await send(), ['missing', 'file']);
      expectFaults(await send(other), ['missing', 'file'], ['unknownField', 'other']);
      expectFaults(await send(other, filePart(), other), ['unknownField', 'other']);
      expectFaults(await send(filePart(), filePart()), ['unknownField', 'file']);
      expectFaults(
        await send(filePart(png(0, 1)), filePart(), other),
        ['outOfRange', 'file'],
        ['unknownField', 'other'],
      );
      expectFaults(await send(filePart(), { name: 'File', data: 'x' }), ['unknownField', 'File']);
      expect(await stored()).toEqual([]);
    });

    it('checks in order: 401, query, media type, size, form, media type of the file, content', async () => {
      const whole = form(filePart());
      expectFailure(await service.nobody.post('/files', whole.subarray(9), FORM_TYPE), 'noCredentials');
      expectFailure(await ada.post('/files?x=1', '{', {}), 'invalidQuery', expect.any(String));
      expectFailure(
        await ada.post('/files', Buffer.alloc(2 * MIB), { 'content-type': 'image/png' }),
        'unsupportedMediaType',
      );
      expectFailure(await ada.post('/files', { file: 'x' }), 'unsupportedMediaType');
      expectFailure(await ada.post('/files', Buffer.alloc(2 * MIB), FORM_TYPE), 'bodyTooLarge');
      const tooLarge = form(filePart(png(1, 1, MIB + 1))).subarray(0, -20);
      expectFailure(await ada.post('/files', tooLarge, FORM_TYPE), 'bodyTooLarge');
      const unnamed = Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nContent-Type: text/plain\r\n\r\nx\r\n`), whole]);
      for (const body of [whole.subarray(0, -30), 'nonsense', '', unnamed])
        expectFailure(await ada.post('/files', body, FORM_TYPE), 'unusableBody', expect.any(String));
      const text = form(filePart('text'), { name: 'other', data: 'x' });
      expectFailure(await ada.post('/files', text, FORM_TYPE), 'unsupportedMediaType', expect.any(String));
    });

    it('accepts the 20th unattached file of a user and returns 1511 for the next, until one is deleted', async () => {
      const eve = await service.account();
      const ids: string[] = [];
      for (let count = 0; count < 20; count += 1) ids.push((await uploaded(eve))._id);
      expectFailure(await upload(eve), 'tooManyFiles');
      await uploaded(ada);
      expect((await eve.delete(`/files/${ids[0]}`)).status).toBe(204);
      await uploaded(eve);
      expect(await stored({ createdBy: new Types.ObjectId(eve.id) })).toHaveLength(20);
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
        'cache-control': 'private, max-age=3600',
        etag: etag(0),
      });
    });

    it('returns the bytes of that file', async () => {
      const images = [png(), gif(), jpeg()];
      const ids: string[] = [];
      for (const image of images) ids.push((await uploaded(ada, image))._id);
      for (const [at, id] of ids.entries()) expect((await ada.get(`/files/${id}`)).bytes).toEqual(images[at]);
    });

    it('returns 304 to clients that have them, and no body for HEAD', async () => {
      const { _id } = await uploaded(ada);
      const again = await ada.get(`/files/${_id}`, { 'if-none-match': etag(0) });
      expect(again).toMatchObject({
        status: 304,
        text: '',
        headers: {
          etag: etag(0),
          'cache-control': 'private, max-age=3600',
          'content-security-policy': "default-src 'none'; sandbox",
        },
      });
      const head = await ada.send({ method: 'HEAD', path: `/files/${_id}` });
      expect(head).toMatchObject({
        status: 200,
        text: '',
        headers: { 'content-type': 'image/png', 'content-length': String(png().length), etag: etag(0) },
      });
      const known = { 'if-none-match': etag(0) };
      const headAgain = await ada.send({ method: 'HEAD', path: `/files/${_id}`, headers: known });
      expect(headAgain).toMatchObject({ status: 304, headers: { etag: etag(0) } });
      expect(headAgain.headers).not.toHaveProperty('content-length');
      expect((await ada.get(`/files/${_id}`, { 'if-none-match': '"other"' })).status).toBe(200);
    });

    it('returns 404 for a file that does not exist, and clients must not cache it', async () => {
      for (const id of [NOTHING, ...NO_IDS]) {
        const response = await ada.get(`/files/${encodeURIComponent(id)}`);
        expectFailure(response, 'fileNotFound');
        expect(response.headers['cache-control']).toBe('private, no-cache');
      }
      expectFailure(await service.nobody.get(`/files/${NOTHING}`), 'noCredentials');
    });

    it('returns 404 if the file is deleted during the request', async () => {
      const { _id } = await uploaded(ada);
      const responses = await Promise.all([ada.get(`/files/${_id}`), ada.delete(`/files/${_id}`)]);
      expect([200, 404]).toContain(responses[0].status);
      expect(responses[1].status).toBe(204);
    });
  });

  describe('DELETE /files/:id', () => {
    it('is for the uploader and Admins', async () => {
      const [one, two] = [await uploaded(ada), await uploaded(ada)];
      expectFailure(await bob.delete(`/files/${one._id}`), 'forbidden');
      expectFailure(await service.nobody.delete(`/files/${one._id}`), 'noCredentials');
      expect((await ada.delete(`/files/${one._id}`)).status).toBe(204);
      expect((await service.admin.delete(`/files/${two._id}`)).status).toBe(204);
      expectFailure(await ada.delete(`/files/${two._id}`), 'fileNotFound');
      expect(await stored()).toEqual([]);
    });

    it('deletes that file, and no other', async () => {
      const [one, two, three] = [await uploaded(ada), await uploaded(ada), await uploaded(ada)];
      expect((await ada.delete(`/files/${two._id}`)).status).toBe(204);
      expect((await stored()).map((file) => file._id.toHexString())).toEqual([one._id, three._id]);
    });

    it('respects If-Match', async () => {
      const { _id } = await uploaded(ada);
      for (const tag of ['"other"', `W/${etag(0)}`, 'nonsense'])
        expectFailure(await ada.delete(`/files/${_id}`, { 'if-match': tag }), 'preconditionFailed');
      expect(await stored()).toHaveLength(1);
      expect((await ada.delete(`/files/${_id}`, { 'if-match': etag(0) })).status).toBe(204);
    });
  });

  it('has no PUT, no PATCH and no list', async () => {
    const { _id } = await uploaded(ada);
    for (const method of ['PUT', 'PATCH', 'POST'] as const) {
      const response = await ada.send({ method, path: `/files/${_id}` });
      expectFailure(response, 'methodNotAllowed');
      expect(response.headers.allow).toBe('GET, HEAD, DELETE, OPTIONS');
    }
    expectFailure(await ada.get('/files'), 'methodNotAllowed');
  });

  it('is deleted with its user unless it is a logo', async () => {
    const eve = await service.account();
    await uploaded(eve);
    const { _id } = await uploaded(ada);
    expect((await service.admin.delete(`/users/${eve.id}`)).status).toBe(204);
    expect((await stored()).map((file) => file._id.toHexString())).toEqual([_id]);
    expect(await service.model<User>('User').exists({ _id: eve.id })).toBeNull();
  });
});
