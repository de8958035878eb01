import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { judge } from '../fields/judge';
import { fieldsOf } from '../fields/field';
import { queryDtoOf } from './page-params.decorator';
import { ListQuery } from './page-query.dto';
import { wantsExactCount } from '../../http/prefer-header';
import { invalidQuery, parseQuery, queryStringOf } from '../../http/parse-query';

/**
 * Judges the query string, after the rights and before the body (contract §1.1), by the class of the handler's
 * `@PageParams()`; what it made of it stands in `request.query`. A handler without one takes no query string.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  /** @throws Failure `invalidQuery` that names the first faulty parameter (contract §1.4) */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const queryString = queryStringOf(request.originalUrl);
    if (queryString !== '' && request.method !== 'GET' && request.method !== 'HEAD') {
      const [name = ''] = parseQuery(queryString).keys();
      throw invalidQuery(name, `is not taken: a ${request.method} request has no query string`);
    }
    const dto = queryDtoOf(context.getHandler());
    const query = readQuery(queryString, dto);
    if (query instanceof ListQuery) query.exactCount = wantsExactCount(request.headers.prefer);
    request.query = query;
    return true;
  }
}

/**
 * The parameters of a query string as an instance of the class that declares them.
 * @param dto none where no parameter is taken
 * @throws Failure `invalidQuery` that names the first faulty parameter
 */
export function readQuery(queryString: string, dto: new () => object = class {}): object {
  const given = parseQuery(queryString);
  const known = fieldsOf(dto);
  const unknown = [...given.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidQuery(unknown, 'is unknown');
  const { content, faults } = judge(dto, Object.fromEntries(given));
  const [first] = faults;
  if (first !== undefined) throw invalidQuery(first.title, first.detail);
  if (given.has('skip') && given.has('after')) throw invalidQuery('after', 'excludes "skip"');
  return content;
}
