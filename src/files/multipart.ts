import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { requireMediaType } from '../http/body/media-type';
import { apiError } from '../errors/api-error';

/** One part of a form (RFC 7578). */
export interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly bytes: Buffer;
}

/** The most parts that are looked at, as many as a JSON body may have members (contract §1.5). */
const MAX_PARTS = 1000;

const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i;

const SPACE = 0x20;
const TAB = 0x09;

/**
 * A form comes as `multipart/form-data`, not compressed (contract §4, POST /files).
 *
 * @throws Failure unsupportedMediaType
 */
export function requireMultipart(headers: IncomingHttpHeaders): void {
  requireMediaType(headers, MULTIPART);
}

/**
 * The parts of a form that has wholly arrived, in its order.
 *
 * @param headers those of the request, with the boundary in the Content-Type
 * @param maxSize bytes that a part may hold
 * @throws Failure bodyTooLarge for a part that holds more, whatever else the form is; unusableBody for a form without
 *   boundary, without end, with a part whose headers are broken or give no name, or with too many parts
 */
export async function parseMultipart(headers: IncomingHttpHeaders, body: Buffer, maxSize: number): Promise<Part[]> {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(headers)}`, 'latin1');
  const { written, isWhole } = split(body, delimiter);
  if (written.some((part) => sizeOf(part) > maxSize)) throw apiError('bodyTooLarge');
  if (!isWhole) throw broken();
  const parts = await readParts(headers, delimiter, written).catch((): never => {
    // Whatever the reader fails at is what the client sent.
    throw broken();
  });
  // The reader silently passes over a part whose headers it does not understand.
  if (parts.length !== written.length || parts.some(({ name }) => name === '')) throw broken();
  return parts;
}

/** @throws Failure unusableBody when the Content-Type has no boundary */
function boundaryOf({ 'content-type': type }: IncomingHttpHeaders): string {
  const boundary = type === undefined ? null : new MIMEType(type).params.get('boundary');
  if (!boundary) throw broken();
  return boundary;
}

/**
 * What stands behind each delimiter up to the closing one. The delimiter may be in no part, so that each that is there
 * begins one (RFC 2046 §5.1.1); what comes before the first is no part. A form that has no end, or too many parts to be
 * looked at, is not whole.
 */
function split(body: Buffer, delimiter: Buffer): { written: Buffer[]; isWhole: boolean } {
  const form = Buffer.concat([Buffer.from('\r\n'), body]);
  const written: Buffer[] = [];
  let found = form.indexOf(delimiter);
  while (found !== -1) {
    const start = found + delimiter.length;
    if (form.toString('latin1', start, start + 2) === '--') return { written, isWhole: true };
    if (written.length === MAX_PARTS) break;
    found = form.indexOf(delimiter, start);
    written.push(withoutPadding(form.subarray(start, found === -1 ? undefined : found)));
  }
  return { written, isWhole: false };
}

/** Without the padding that a transport may have added behind the delimiter, on its line (RFC 2046 §5.1.1). */
function withoutPadding(part: Buffer): Buffer {
  let padding = 0;
  while (part[padding] === SPACE || part[padding] === TAB) padding++;
  return part.subarray(padding);
}

/** The bytes behind the headers of a part, none as long as the headers have no end. */
function sizeOf(part: Buffer): number {
  const headersEnd = part.indexOf('\r\n\r\n');
  return headersEnd === -1 ? 0 : part.length - headersEnd - 4;
}

function readParts(headers: IncomingHttpHeaders, delimiter: Buffer, written: readonly Buffer[]): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: { name: string; fileName: string | undefined; chunks: Buffer[] }[] = [];
    const reader = newReader(headers);
    reader.on('file', (name: string | undefined, stream: BusboyFileStream, fileName: string | undefined) => {
      const chunks: Buffer[] = [];
      parts.push({ name: name ?? '', fileName, chunks });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    });
    reader.on('error', reject);
    reader.on('finish', () => {
      resolve(parts.map(({ chunks, ...part }) => ({ ...part, bytes: Buffer.concat(chunks) })));
    });
    for (const part of written) {
      reader.write(delimiter);
      reader.write(part);
    }
    reader.end(Buffer.concat([delimiter, Buffer.from('--')]));
  });
}

function newReader(headers: IncomingHttpHeaders): BusboyInstance {
  const type = headers['content-type'] ?? '';
  // Without `isPartAFile`, parts without a file name come as text.
  return new Busboy({ headers: { 'content-type': type }, isPartAFile: () => true, preservePath: true });
}

function broken(): Error {
  return apiError('unusableBody', 'The body is not a whole multipart/form-data.');
}
