import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { ApiError, apiError } from '../../platform/base/errors/api-error';
import { tooLarge } from '../../platform/http/body/receive-body';

/** A part of a form. */
export interface Part {
  readonly name: string;
  /** Without its path; the three characters that browsers encode are decoded (WHATWG, multipart form data). */
  readonly fileName: string | undefined;
  readonly bytes: Buffer;
}

/** As many parts as a JSON body may have members, and as long a header section as a request may have (contract §1). */
const LIMITS = { parts: 1000, headerPairs: 100, headerSize: 16 * 1024 };

/**
 * Parses a form that has been read completely: whether it is too large is decided before its syntax (contract §1.1).
 * @param fileSize maximum size of a part in bytes
 * @throws ApiError bodyTooLarge, unusableBody
 */
export async function parseMultipart(headers: IncomingHttpHeaders, body: Buffer, fileSize: number): Promise<Part[]> {
  const type = headers['content-type'] ?? '';
  try {
    const pieces = splitForm(type, body);
    // Busboy would create a stream for each of a hundred thousand delimiters, and silently cut longer headers.
    const hasShortHeaders = pieces.every((piece) => piece.indexOf('\r\n\r\n') < LIMITS.headerSize);
    if (pieces.length <= LIMITS.parts && hasShortHeaders) {
      const parts = await readParts(type, body, fileSize);
      // Busboy silently skips a part whose headers it cannot read.
      if (parts.length === pieces.length && parts.every(({ name }) => name)) return parts;
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  throw apiError('unusableBody', 'The body is not a valid multipart/form-data form.');
}

function readParts(type: string, body: Buffer, fileSize: number): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: (Omit<Part, 'bytes'> & { readonly chunks: Buffer[] })[] = [];
    // Every part is read as a file: as a field it would be decoded to text.
    const busboy = new Busboy({
      headers: { 'content-type': type },
      isPartAFile: () => true,
      limits: { ...LIMITS, fileSize },
    });
    busboy.on('file', (name: string, stream: BusboyFileStream, fileName: string | undefined) => {
      const chunks: Buffer[] = [];
      parts.push({ name, fileName: fileName?.replace(/%(?:22|0D|0A)/g, decodeURIComponent), chunks });
      stream.on('limit', () => reject(tooLarge('file', fileSize)));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    });
    busboy.on('error', reject);
    busboy.on('finish', () => resolve(parts.map(({ chunks, ...part }) => ({ ...part, bytes: Buffer.concat(chunks) }))));
    busboy.end(body);
  });
}

/** What follows each delimiter up to the closing one (RFC 2046 §5.1.1), for at most one part too many. */
function splitForm(type: string, body: Buffer): string[] {
  const delimiter = `\r\n--${new MIMEType(type).params.get('boundary')}`;
  const pieces = `\r\n${body.toString('latin1')}`.split(delimiter, LIMITS.parts + 2).slice(1);
  const closing = pieces.findIndex((piece) => piece.startsWith('--'));
  return closing === -1 ? pieces : pieces.slice(0, closing);
}
