import { Query } from '@nestjs/common';

const queryDto = Symbol('query DTO');

type QueryDto = new () => object;

/**
 * The judged parameters of a list: `list(@PageParams() query: UserQuery)`. The parameter's class says which ones the
 * operation takes; the `QueryGuard` judges them by it, the OpenAPI document shows them.
 */
export function PageParams(): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@PageParams() is for the parameters of handlers.');
    const types = Reflect.getMetadata('design:paramtypes', target, method) as QueryDto[];
    const handler = (target as Record<string | symbol, object>)[method];
    Reflect.defineMetadata(queryDto, types[index], handler!);
    Query()(target, method, index);
  };
}

/** The class of the query parameters that a handler takes; none when it takes no query string. */
export function queryDtoOf(handler: object): QueryDto | undefined {
  return Reflect.getMetadata(queryDto, handler) as QueryDto | undefined;
}
