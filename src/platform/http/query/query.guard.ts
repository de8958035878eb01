import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import type { FastifyRequest } from 'fastify';
import { invalidQuery, parseQuery } from './parse-query';
import { requestFieldsOf } from '../fields/field';
import { validateFields } from '../fields/validate-fields';
import { ListQuery } from './page-query.dto';

type QueryDto = new () => object;

/** Of a handler, by kind and position: `4:1`. */
type Parameters = Readonly<Record<string, { index: number }>>;

/** The most query strings of one list that are remembered, and the longest (characters). */
const MAX_REMEMBERED = 1000;
const MAX_LENGTH = 200;

/**
 * Validates the query string against the class of the handler's `@Query()`, and puts the result into `request.query`; a
 * handler without one takes none. It is a guard because Nest runs the pipes of all parameters at the same time, but the
 * body comes later (contract §1.1).
 */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly accepted = new Map<QueryDto, Map<string, object>>();

  /** @throws ApiError `invalidQuery` that names the first invalid parameter (contract §1.4) */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const queryString = request.originalUrl.replace(/^[^?]*\??/, '');
    if (queryString !== '' && request.method !== 'GET' && request.method !== 'HEAD') {
      const [name = ''] = parseQuery(queryString).keys();
      throw invalidQuery(name, `is not allowed: a ${request.method} request has no query string`);
    }
    const query = this.readOnce(queryString, queryDtoOf(context));
    if (query instanceof ListQuery) query.exactCount = wantsExactCount(request.headers.prefer);
    request.query = query;
    return true;
  }

  /** `readQuery`, but once for each text: it takes a fifth of the CPU time of a list of 20. */
  private readOnce(queryString: string, dto: QueryDto): object {
    const accepted = this.accepted.get(dto) ?? new Map<string, object>();
    this.accepted.set(dto, accepted);
    const remembered = accepted.get(queryString);
    if (remembered) return Object.assign(new dto(), remembered);
    const query = readQuery(queryString, dto);
    // Each page by `after` is asked for once.
    if (queryString.length > MAX_LENGTH || queryString.includes('after=')) return query;
    if (accepted.size >= MAX_REMEMBERED) accepted.clear();
    accepted.set(queryString, { ...query });
    return query;
  }
}

/** The query of a handler without `@Query()`. */
class NoQuery {}

/** Finds the class of the parameter with `@Query()`, which Nest tells pipes alone. */
function queryDtoOf(context: ExecutionContext): QueryDto {
  const [controller, { name }] = [context.getClass(), context.getHandler()];
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as Parameters | undefined;
  const query = Object.entries(parameters ?? {}).find(([key]) => key.startsWith(`${RouteParamtypes.QUERY}:`));
  if (!query) return NoQuery;
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as QueryDto[];
  return types[query[1].index]!;
}

/** The parameters of a query string as an instance of the class that declares them. */
function readQuery(queryString: string, dto: QueryDto): object {
  const given = parseQuery(queryString);
  const known = requestFieldsOf(dto);
  const unknown = [...given.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const names = known.length > 0 ? `these are known: ${known.join(', ')}` : 'this operation has none';
    throw invalidQuery(unknown, `is unknown; ${names}`);
  }
  const { value, fieldErrors } = validateFields(dto, Object.fromEntries(given));
  const [first] = fieldErrors;
  if (first) throw invalidQuery(first.title, first.detail);
  if (given.has('skip') && given.has('after')) throw invalidQuery('after', 'cannot be combined with "skip"');
  return value;
}

/** Checks whether a `Prefer` header asks for `count=exact`; of two `count`s the first one counts (RFC 7240 §2). */
function wantsExactCount(prefer: string | readonly string[] = ''): boolean {
  // A quoted value that is not a token could contain what looks like other preferences.
  const preferences = String(prefer).replace(/"([\w-]*)"|"[^"]*"/g, '$1');
  const count = /(?:^|,)\s*count\s*(?:=([^,;]*))?(?:[,;]|$)/i.exec(preferences);
  return count?.[1]?.trim().toLowerCase() === 'exact';
}
