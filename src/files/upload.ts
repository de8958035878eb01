import { readBytes } from '../http/body/read-body';
import type { UnreadBody } from '../http/body/unread-body';
import { apiError } from '../errors/api-error';
import { fieldError, type FieldError, InvalidContentError } from '../errors/field-error';
import { storedFileName } from './file-name';
import { imageFault, imageFormatOf } from './image';
import type { ImageType } from './image-format';
import { type Part, parseMultipart, requireMultipart } from './multipart';

/** The name of the one part. */
const PART = 'file';

/** The most bytes of a file (contract §4), whatever `BODY_LIMIT` is. */
const MAX_FILE_SIZE = 1024 * 1024;

/** The most bytes of what surrounds the file: boundaries, headers, parts that do not belong there. */
const MAX_AROUND = 64 * 1024;

/** The form, for the OpenAPI document. */
export const FILE_FORM = {
  type: 'object',
  required: [PART],
  additionalProperties: false,
  properties: { [PART]: { type: 'string', format: 'binary', description: 'The image.' } },
};

/** An image that somebody uploads. */
export interface Upload {
  readonly fileName: string;
  readonly contentType: ImageType;
  readonly bytes: Buffer;
}

/**
 * Reads an upload and judges it in the contract's order (§1.1): media type of the body, size, form, media type of the
 * file, content.
 *
 * @throws Failure unsupportedMediaType, bodyTooLarge, unusableBody; InvalidContent missing, outOfRange, unknownField
 */
export async function readUpload({ headers, stream }: UnreadBody): Promise<Upload> {
  requireMultipart(headers);
  const limit = MAX_FILE_SIZE + MAX_AROUND;
  if (Number(headers['content-length'] ?? 0) > limit) throw apiError('bodyTooLarge');
  const parts = await parseMultipart(headers, await readBytes(stream, limit), MAX_FILE_SIZE);
  const file = parts.find(({ name }) => name === PART);
  if (!file) throw faulty([fieldError('missing', PART), ...unknownParts(parts)]);
  return judge(file, unknownParts(parts.filter((part) => part !== file)));
}

function judge({ fileName, bytes }: Part, others: readonly FieldError[]): Upload {
  const format = imageFormatOf(bytes);
  if (!format) throw apiError('unsupportedMediaType', 'The file is no PNG, JPEG, GIF or WebP.');
  const wrong = imageFault(format, bytes);
  const faults = wrong === undefined ? others : [fieldError('outOfRange', PART, wrong), ...others];
  if (faults.length > 0) throw faulty(faults);
  return { fileName: storedFileName(fileName, format.contentType), contentType: format.contentType, bytes };
}

/** One fault for each name, also for a second `file`. */
function unknownParts(parts: readonly Part[]): FieldError[] {
  const names = new Set(parts.map(({ name }) => name));
  return [...names].map((name) =>
    name === PART ? fieldError('unknownField', PART, 'is there more than once') : fieldError('unknownField', name),
  );
}

/** One fault a field, the first that it has (contract §2, Faults). */
function faulty(found: readonly FieldError[]): InvalidContentError {
  const first = found.filter(({ title }, index) => found.findIndex((other) => other.title === title) === index);
  return new InvalidContentError(first);
}
