import { Types } from 'mongoose';
import { apiErrors } from '../../../src/platform/base/errors/api-error';
import type { ApiResponse } from '../../support/client';
import type { Service } from '../../support/service';
import { Call, Refused, Success } from './call';
import { apply } from './rules';
import { State } from './state';

type Members = Readonly<Record<string, unknown>>;

/** Lets the model take a request. @returns how the response differs from the contract; undefined if it doesn't */
export function differenceOf(call: Call): string | undefined {
  const { request, response } = call;
  const expected = apply(call);
  if (expected instanceof Refused) return errorDifference(response, expected);
  const status = { GET: 200, POST: 201, PUT: 200, DELETE: 204 }[request.method];
  const found = JSON.stringify({
    status: response.status,
    code: response.body?.code,
    shown: shownBy(call, expected),
  });
  const wanted = JSON.stringify({ status, code: undefined, shown: expected.data });
  return found === wanted ? etagDifference(call, expected) : `${found}, not ${wanted}`;
}

/** One of the errors, about exactly these fields. */
function errorDifference({ status, body }: ApiResponse, { errors, titles }: Refused): string | undefined {
  const fits = errors.some((name) => status === apiErrors[name].status && body?.code === apiErrors[name].code);
  const items: unknown = body?.message;
  const found = Array.isArray(items) ? items.map(({ title }: { title: string }) => title) : [];
  if (fits && (!titles || !Array.isArray(items) || found.join() === titles.join())) return undefined;
  return `${[status, body?.code, ...found].join(' ')}, not ${errors.join(' or ')} ${titles?.join(' ')}`;
}

/** Content of the response, of a record only the fields that the model knows: clients ignore others (contract §7). */
function shownBy({ request, response }: Call, { data }: Success): unknown {
  if (data === undefined || response.status >= 300) return undefined;
  const isOne = request.method === 'GET' && !Array.isArray(data);
  return known(isOne ? response.body : response.body.data, data);
}

/** A value without the members that `model` lacks, the others in its order. A member that is undefined must be missing. */
function known(value: unknown, model: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, at) => known(item, Array.isArray(model) ? model[at] : undefined));
  if (![value, model].every((one) => typeof one === 'object' && one !== null)) return value;
  const members = Object.entries(model as object).map(([name, inner]) => [
    name,
    known((value as Members)[name], inner),
  ]);
  return Object.fromEntries(members);
}

/** The same ETag while nothing changed, another after every change (contract §2). */
function etagDifference({ response }: Call, { record }: Success): string | undefined {
  if (!record) return undefined;
  const { etag } = response.headers;
  if (etag === undefined) return 'no ETag';
  if (record.etag !== undefined && record.etag !== etag)
    return `ETag ${etag}, though nothing changed since ${record.etag}`;
  if (record.formerEtags.includes(etag)) return `ETag ${etag} came again after a change`;
  record.etag = etag;
  return undefined;
}

/** The ids of everything that the database should hold, as text. */
export function contentsOf({ users, organizations, apis }: State): string {
  return textOf([users, organizations, apis].map((records) => [...records.keys()]));
}

/** What it does hold, in the form of `contentsOf`. */
export async function storedContents(service: Service): Promise<string> {
  return textOf(await Promise.all(['User', 'Organization', 'Api'].map((name) => storedIds(service, name))));
}

const textOf = (ids: readonly string[][]): string => ids.map((some) => some.sort().join()).join('\n');

async function storedIds(service: Service, name: string): Promise<string[]> {
  const records = await service.model<{ _id: Types.ObjectId }>(name).find({}, { _id: 1 }).lean();
  return records.map(({ _id }) => _id.toHexString());
}
