import { ErrorName, apiErrors } from '../../../src/errors/api-error';
import type { ApiResponse } from '../../support/client';
import { judgeApis } from './judge-apis';
import { judgeFiles } from './judge-files';
import { judgeOrganizations } from './judge-organizations';
import { judgeUsers } from './judge-users';
import { Case, failure, Verdict } from './verdict';

/**
 * Lets the model take a request, and compares what it expects with what the service answered.
 *
 * @returns what differs; undefined where all is as the contract has it
 */
export function differenceOf(judged: Case): string | undefined {
  const { request, answer } = judged;
  const verdict = verdictOf(judged);
  const found = { status: answer.status, code: answer.body?.code as unknown, about: aboutOf(judged, verdict) };
  if (verdict.failures) return failureDifference(answer, verdict.failures, verdict.titles);
  const status = { GET: 200, POST: 201, PUT: 200, DELETE: 204 }[request.method];
  const expected = { status, code: undefined, about: verdict.data };
  if (canonical(found) !== canonical(expected)) return `${canonical(found)}, not ${canonical(expected)}`;
  return etagDifference(judged, verdict);
}

/** One of the failures, about the very fields. */
function failureDifference(
  { status, body }: ApiResponse,
  expected: readonly ErrorName[],
  titles?: readonly string[],
): string | undefined {
  const fits = expected.some((name) => status === apiErrors[name].status && body?.code === apiErrors[name].code);
  const faults: unknown = body?.message;
  const found = Array.isArray(faults) ? faults.map(({ title }: { title: string }) => title) : [];
  if (fits && (!titles || !Array.isArray(faults) || found.join() === titles.join())) return undefined;
  return `${[status, body?.code, ...found].join(' ')}, not ${expected.join(' or ')} ${titles?.join(' ')}`;
}

function verdictOf(judged: Case): Verdict {
  const { state, request, isRace } = judged;
  // Account and target are read side by side: who is deleted in between may be found without their places as a Manager
  // and their Files.
  const found = isRace ? (['forbidden', 'fileNotFound'] as const) : [];
  if (!state.users.has(request.actor)) return failure('accountGone', ...found);
  if (request.path[0] === 'users') return judgeUsers(judged);
  if (request.path[0] === 'files') return judgeFiles(judged);
  return request.path.includes('apis') ? judgeApis(judged) : judgeOrganizations(judged);
}

/** What the answer shows, dates aside; of a Manager also without who added them. */
function aboutOf({ request, answer }: Case, { data }: Verdict): unknown {
  if (data === undefined || answer.status >= 300) return undefined;
  if (request.path[0] === 'files' && request.method === 'GET')
    return { contentType: answer.headers['content-type'], bytes: answer.bytes.toString('base64') };
  const isOne = request.method === 'GET' && !Array.isArray(data);
  return withoutDates(isOne ? answer.body : answer.body.data, request.path.includes('managers'));
}

function withoutDates(value: unknown, isManager: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutDates(item, isManager));
  const { createdAt: _, updatedAt: __, ...rest } = value as Record<string, unknown>;
  if (isManager) delete rest.createdBy;
  return rest;
}

/** The same ETag while nothing changed, another after every change (contract §2). */
function etagDifference({ answer }: Case, { record }: Verdict): string | undefined {
  if (!record) return undefined;
  const { etag } = answer.headers;
  if (etag === undefined) return 'no ETag';
  if (record.etag !== undefined && record.etag !== etag)
    return `ETag ${etag}, though nothing changed since ${record.etag}`;
  if (record.formerEtags.includes(etag)) return `ETag ${etag} came again after a change`;
  record.etag = etag;
  return undefined;
}

/** JSON with the members of objects in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
