import { Types } from 'mongoose';
import type { File } from '../../../src/files/file.schema';
import type { Service } from '../../support/service';
import { IMAGES } from './images';
import type { ModelFile, State } from './state';

const COLLECTIONS = { users: 'User', organizations: 'Organization', apis: 'Api' } as const;

/** What has to be stored, as text: each File with all that its answers do not show, and the ids of everything else. */
export function contentsOf(state: State): string {
  const names = Object.keys(COLLECTIONS) as (keyof typeof COLLECTIONS)[];
  return textOf(
    names.map((name) => [...state[name].keys()]),
    [...state.files].map(fileText),
  );
}

/** What is stored, as `contentsOf` has it. */
export async function storedContents(service: Service): Promise<string> {
  const ids = Object.values(COLLECTIONS).map((name) => storedIds(service, name));
  return textOf(await Promise.all(ids), await storedFiles(service));
}

function textOf(ids: readonly string[][], files: readonly string[]): string {
  return [...ids.map((some) => some.sort().join()), ...[...files].sort()].join('\n');
}

async function storedIds(service: Service, name: string): Promise<string[]> {
  const records = await service.model<{ _id: Types.ObjectId }>(name).find({}, { _id: 1 }).lean();
  return records.map(({ _id }) => _id.toHexString());
}

async function storedFiles(service: Service): Promise<string[]> {
  const files = await service.model<File>('File').find({}).select('+data').lean();
  return files.map(({ _id, fileName, contentType, data, organizationId, createdBy }) =>
    [_id, fileName, contentType, organizationId, createdBy, Buffer.from(data.buffer).toString('base64')].join(' '),
  );
}

function fileText([id, { fileName, organizationId, createdBy }]: [string, ModelFile]): string {
  const { contentType, bytes } = IMAGES[fileName];
  return [id, fileName, contentType, organizationId, createdBy, bytes.toString('base64')].join(' ');
}
