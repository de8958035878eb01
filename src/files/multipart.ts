import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { IncomingHttpHeaders } from 'node:http';
import { requireMediaType } from '../http/body/media-type';
import { fail } from '../http/failures';

/** One part of a form (RFC 7578). */
export interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly bytes: Buffer;
}

/** The most parts that are looked at, as many as a JSON body may have members (contract §1.5). */
const MAX_PARTS = 1000;

const MULTIPART = /^multipart\/form-data[ \t]*(?:;|$)/i;

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
 * @throws Failure unusableBody for a form without boundary, without end, with a part without name, or with too many parts
 */
export function parseMultipart(headers: IncomingHttpHeaders, body: Buffer): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: { name: string | undefined; fileName: string | undefined; chunks: Buffer[] }[] = [];
    const refuse = (): void => reject(broken());
    const form = newReader(headers);
    form.on('file', (name: string | undefined, stream: BusboyFileStream, fileName: string | undefined) => {
      const chunks: Buffer[] = [];
      parts.push({ name, fileName, chunks });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', refuse);
    });
    form.on('partsLimit', refuse);
    form.on('error', refuse);
    form.on('finish', () => {
      if (parts.some(({ name }) => !name)) return refuse();
      resolve(parts.map(({ name = '', fileName, chunks }) => ({ name, fileName, bytes: Buffer.concat(chunks) })));
    });
    form.end(body);
  });
}

/** @throws Failure unusableBody when the Content-Type has no boundary */
function newReader(headers: IncomingHttpHeaders): BusboyInstance {
  const type = headers['content-type'] ?? '';
  try {
    return new Busboy({
      headers: { 'content-type': type },
      // Without it, parts without a file name come as text.
      isPartAFile: () => true,
      preservePath: true,
      limits: { parts: MAX_PARTS },
    });
  } catch {
    throw broken();
  }
}

function broken(): Error {
  return fail('unusableBody', 'The body is not a whole multipart/form-data.');
}
