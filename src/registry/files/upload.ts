import { once } from 'node:events';
import { Busboy } from '@fastify/busboy';
import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError, apiError } from '../../platform/base/errors/api-error';
import { type FieldError, fieldError, invalidContent } from '../../platform/base/errors/field-error';
import { requestOf } from '../../platform/http/access/decorators';
import type { AuthorizedRequest, RequestAccess } from '../../platform/http/access/request-access';
import { MULTIPART, requireMediaType } from '../../platform/http/body/media-type';
import type { RawBody } from '../../platform/http/body/raw-body';
import { receive, tooLarge } from '../../platform/http/body/receive-body';
import { WorkQueue } from '../../platform/base/work-queue';
import { storedFileName } from './file-name';
import type { ImageType } from './file.schema';
import { readImage } from './image';

const PART = 'file';

/** Maximum size of a file in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** Maximum size of the whole form: the file, and 64 KiB for boundaries, headers and unknown parts. */
const MAX_FORM_SIZE = MAX_FILE_SIZE + 64 * 1024;

/** As many parts as a JSON body may have members. */
const MAX_PARTS = 1000;

const NO_IMAGE =
  'The file is not a PNG, JPEG, GIF or WebP image. ' +
  'Convert an SVG to PNG, for example with: rsvg-convert logo.svg -o logo.png';

/** The form of an upload in the OpenAPI document. */
export const FILE_FORM = {
  type: 'object',
  required: [PART],
  additionalProperties: false,
  properties: { [PART]: { type: 'string', format: 'binary', description: 'The image.' } },
};

/** An uploaded image that is valid. */
export interface Upload {
  readonly fileName: string;
  readonly contentType: ImageType;
  readonly bytes: Buffer;
}

/** Uploads run a few at a time (contract §8.3): each takes more than a MiB of memory until it is stored. */
const uploads = new WorkQueue({ running: 32, runningPerKey: 4, waiting: 32, maxWaitMs: 2000, dropAfterMs: 1000 });

/** The image that the request uploads, read once for all attempts of the write: `@UploadedImage() upload: Upload`. */
export const UploadedImage = createParamDecorator(async (_, context: ExecutionContext) => {
  const request = requestOf(context);
  const body = request.body as RawBody;
  if (!body.content) {
    const signal = await turnOf(request.access!, context.switchToHttp().getResponse<FastifyReply>());
    body.content = Object.freeze(await readUpload(request, signal));
  }
  return body.content;
});

/**
 * Waits until an upload may run; it counts as running until its response was sent, or the client disconnects.
 * @returns the signal that it gives up its place
 */
function turnOf({ account }: RequestAccess, { raw, request }: FastifyReply): Promise<AbortSignal> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const closed = async (): Promise<void> => {
      resolve(controller.signal);
      if (!raw.closed) await once(raw, 'close');
    };
    // What has arrived is soon stored.
    const drop = (refusal: Error): boolean => {
      if (!request.raw.complete) controller.abort(refusal);
      return controller.signal.aborted;
    };
    uploads.run(String(account?._id), closed, false, drop).catch(reject);
  });
}

/**
 * Receives and validates an upload in the contract's order (§1.1). Its body may take ten seconds, so the caller is
 * authorized again.
 */
async function readUpload({ raw, access }: AuthorizedRequest, signal: AbortSignal): Promise<Upload> {
  requireMediaType(raw.headers, MULTIPART);
  // Callers with too large a file learn one limit, that of the file.
  const form = await receive(raw, MAX_FORM_SIZE, () => tooLarge('file', MAX_FILE_SIZE), signal);
  await access!.authorizeAgain();
  const parts = await partsOf(raw.headers['content-type']!, form);
  // A browser sends an empty part for a field in which no file was chosen.
  const files = parts.filter(({ name, bytes, fileName }) => name === PART && bytes && (fileName || bytes.length > 0));
  const [file] = files;
  const image = file && readImage(file.bytes!);
  if (file && !image) throw apiError('unsupportedMediaType', NO_IMAGE);
  const errors: FieldError[] = [];
  if (!file) errors.push(fieldError('missing', PART));
  else if (image?.problem) errors.push(fieldError('outOfRange', PART, image.problem));
  else if (files.length > 1) errors.push(fieldError('unknownField', PART, 'must be sent only once'));
  const others = new Set(parts.flatMap(({ name }) => (name === PART ? [] : [name])));
  for (const name of others) errors.push(fieldError('unknownField', name));
  if (!file || !image || errors.length > 0) throw invalidContent(...errors);
  const { contentType } = image;
  return { fileName: storedFileName(file.fileName, contentType), contentType, bytes: file.bytes! };
}

/** A part of a form; only files have bytes. */
interface Part {
  readonly name: string;
  /** Without its path; the three characters that browsers encode are decoded (WHATWG, multipart form data). */
  readonly fileName?: string;
  readonly bytes?: Buffer;
}

/** The parts of a form that was received completely. @throws ApiError bodyTooLarge, unusableBody */
function partsOf(type: string, form: Buffer): Promise<Part[]> {
  return new Promise<Part[]>((resolve, reject) => {
    const parts: Part[] = [];
    const limits = { parts: MAX_PARTS, fileSize: MAX_FILE_SIZE };
    const isPartAFile = (_name?: string, _type?: string, fileName?: string): boolean => fileName !== undefined;
    const busboy = new Busboy({ headers: { 'content-type': type }, isPartAFile, limits });
    busboy.on('field', (name) => parts.push({ name }));
    busboy.on('file', (name, stream, sentName: string | undefined) => {
      const chunks: Buffer[] = [];
      const fileName = sentName?.replace(/%(?:22|0D|0A)/g, decodeURIComponent);
      stream.on('limit', () => reject(tooLarge('file', MAX_FILE_SIZE)));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => parts.push({ name, fileName, bytes: Buffer.concat(chunks) }));
    });
    busboy.on('partsLimit', reject).on('error', reject);
    busboy.on('finish', () => resolve(parts)).end(form);
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? error : apiError('unusableBody', 'The body is not a valid form.');
  });
}
