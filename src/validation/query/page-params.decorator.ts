import { Query } from '@nestjs/common';

const QUERY_DTO = Symbol('query DTO');
export type QueryDto = new () => object;

/** The parameters of a list, `@PageParams() query: UserQuery`; the `QueryGuard` validates them against their class. */
export function PageParams(): ParameterDecorator {
  return (target, method, index) => {
    const types = Reflect.getMetadata('design:paramtypes', target, method!) as QueryDto[];
    const handler = (target as Record<string | symbol, object>)[method!];
    Reflect.defineMetadata(QUERY_DTO, types[index], handler!);
    Query()(target, method, index);
  };
}

export function queryDtoOf(handler: object): QueryDto | undefined {
  return Reflect.getMetadata(QUERY_DTO, handler) as QueryDto | undefined;
}
