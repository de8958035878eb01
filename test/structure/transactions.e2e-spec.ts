import { RequestMethod, Type } from '@nestjs/common';
import { INTERCEPTORS_METADATA, METHOD_METADATA } from '@nestjs/common/constants';
import { AppModule } from '../../src/app.module';
import { TransactionInterceptor, WithoutTransaction } from '../../src/auth/transaction.interceptor';
import { settingsWith } from '../support/settings';

/** The handlers of all resources that change something, with their interceptors, the innermost last. */
function changingHandlers(): { name: string; interceptors: unknown[]; reason: string | undefined }[] {
  const { imports = [] } = AppModule.forRoot(settingsWith());
  const controllers = imports.flatMap((one) => (Reflect.getMetadata('controllers', one) ?? []) as Type[]);
  return controllers.flatMap(({ name: controller, prototype }) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype as object)).flatMap(([name, { value }]) => {
      const handler = value as object;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined || method === RequestMethod.GET) return [];
      const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
      const reason = Reflect.getMetadata(WithoutTransaction.KEY, handler) as string | undefined;
      return [{ name: `${controller}.${name}`, interceptors, reason }];
    }),
  );
}

test('Every handler that changes something runs in a transaction, unless it is marked with a reason', () => {
  const handlers = changingHandlers();
  expect(handlers.length).toBeGreaterThanOrEqual(15);
  const marked = handlers.filter(({ reason }) => reason);
  expect(marked.map(({ name }) => name)).toEqual([
    ...['SessionsController.create', 'SessionsController.remove', 'SessionsController.refresh'],
  ]);
  for (const { name, interceptors, reason } of handlers) {
    const count = interceptors.filter((one) => one === TransactionInterceptor).length;
    expect({ name, count, isInnermost: interceptors.at(-1) === TransactionInterceptor }).toEqual({
      ...{ name, count: reason ? 0 : 1, isInnermost: !reason },
    });
  }
});
