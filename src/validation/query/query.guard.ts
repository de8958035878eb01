import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { wantsExactCount } from '../../http/prefer-header';
import { invalidQuery, parseQuery, queryStringOf } from '../../http/parse-query';
import { requestFieldsOf } from '../fields/request-fields';
import { validateFields } from '../fields/validate-fields';
import { queryDtoOf } from './page-params.decorator';
import { ListQuery } from './page-query.dto';

/**
 * Validates the query string and puts the result into `request.query`; a handler without `@PageParams()` takes none. It
 * is a guard because Nest runs the pipes of all parameters at the same time, but the body comes later (contract §1.1).
 */
@Injectable()
export class QueryGuard implements CanActivate {
  /** @throws ApiError `invalidQuery` that names the first invalid parameter (contract §1.4) */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const queryString = queryStringOf(request.originalUrl);
    if (queryString !== '' && request.method !== 'GET' && request.method !== 'HEAD') {
      const [name = ''] = parseQuery(queryString).keys();
      throw invalidQuery(name, `is not allowed: a ${request.method} request has no query string`);
    }
    const dto = queryDtoOf(context.getHandler());
    // Most requests have no query string and take none.
    const query = queryString === '' && !dto ? {} : readQuery(queryString, dto);
    if (query instanceof ListQuery) query.exactCount = wantsExactCount(request.headers.prefer);
    request.query = query;
    return true;
  }
}

/**
 * The parameters of a query string as an instance of the class that declares them; by default, none are allowed.
 * @throws ApiError `invalidQuery` that names the first invalid parameter
 */
export function readQuery(queryString: string, dto: new () => object = class {}): object {
  const given = parseQuery(queryString);
  const known = requestFieldsOf(dto);
  const unknown = [...given.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidQuery(unknown, 'is unknown');
  const { value, fieldErrors } = validateFields(dto, Object.fromEntries(given));
  const [first] = fieldErrors;
  if (first) throw invalidQuery(first.title, first.detail);
  if (given.has('skip') && given.has('after')) throw invalidQuery('after', 'cannot be combined with "skip"');
  return value;
}
