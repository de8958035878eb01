import { IMAGES, ImageName } from './images';
import type { ModelFile, State } from './state';
import { Case, failure, isAdmin, isStale, newId, success, Verdict } from './verdict';

/** How many Files that are no logo a User has at most when adding another (contract §3 File). */
const MAX_UNATTACHED = 20;

function shown(_id: string, { fileName, createdBy, organizationId }: ModelFile): object {
  const { contentType, bytes } = IMAGES[fileName];
  return { _id, fileName, contentType, size: bytes.length, createdBy, organizationId };
}

/** What GET gives instead of a record (contract §0 c). */
function bytesOf({ fileName }: ModelFile): object {
  const { contentType, bytes } = IMAGES[fileName];
  return { contentType, bytes: bytes.toString('base64') };
}

/** `/files` and `/files/:id` (contract §3 File, §4). */
export function judgeFiles(judged: Case): Verdict {
  const { state, request } = judged;
  const id = request.path[1];
  if (id === undefined) return upload(judged);
  const file = state.files.get(id);
  if (!file) return failure('fileNotFound');
  const isLogo = file.organizationId !== null;
  if (request.method === 'GET' && isLogo) return success(bytesOf(file), file);
  if (request.actor !== file.createdBy && !isAdmin(judged)) return failure('forbidden');
  return request.method === 'GET' ? success(bytesOf(file), file) : remove(judged, id, file);
}

/** The Files of a User that are no logo. */
function unattachedOf({ files }: State, userId: string): string[] {
  const own = [...files].filter(([, { createdBy, organizationId }]) => createdBy === userId && organizationId === null);
  return own.map(([id]) => id);
}

function upload(judged: Case): Verdict {
  const { state, request } = judged;
  if (unattachedOf(state, request.actor).length >= MAX_UNATTACHED) return failure('tooManyFiles');
  const fileName = request.upload as ImageName;
  const createdBy = request.actor;
  const file: ModelFile = { fileName, createdBy, organizationId: null, etag: undefined, formerEtags: [] };
  state.files.set(newId(judged), file);
  return success(shown(newId(judged), file), file);
}

function remove(judged: Case, id: string, file: ModelFile): Verdict {
  if (isStale(judged, file)) return failure('preconditionFailed');
  if (file.organizationId !== null) return failure('fileInUse');
  judged.state.files.delete(id);
  return success();
}

/** Unattached Files go with their User; logos stay (contract §3 File). */
export function removeFilesOf(state: State, userId: string): void {
  for (const id of unattachedOf(state, userId)) state.files.delete(id);
}
