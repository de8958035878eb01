import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { requestOf } from '../access/decorators';
import { requestFieldsOf } from '../fields/field';
import { invalidQuery, RawQuery } from './raw-query';

/** Rejects the parameters of an operation that takes none. Those of a GET with `@Query()` are for the pipe. */
@Injectable()
export class QueryGuard implements CanActivate {
  /** @throws ApiError `invalidQuery` that names the first parameter (contract §1.4) */
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const { method, headers, originalUrl } = request;
    const text = originalUrl.replace(/^[^?]*\??/, '');
    const query = (request.query = new RawQuery(headers, text));
    const isRead = method === 'GET' || method === 'HEAD';
    if (text === '' || (isRead && takesQuery(context))) return true;
    const [name] = query.parse().keys();
    if (!isRead) throw invalidQuery(name ?? '', `is not allowed: a ${method} request has no query string`);
    if (name !== undefined) throw invalidQuery(name, 'is unknown; this operation has none');
    return true;
  }
}

/** Recognizes the handler of a GET whose parameters have a class with fields: that of `@Query()`. */
function takesQuery(context: ExecutionContext): boolean {
  const { prototype } = context.getClass() as { prototype: object };
  const types = Reflect.getMetadata('design:paramtypes', prototype, context.getHandler().name) as object[];
  return types.some((type) => requestFieldsOf(type).length > 0);
}
