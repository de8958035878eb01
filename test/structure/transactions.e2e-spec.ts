import { INTERCEPTORS_METADATA } from '@nestjs/common/constants';
import { TransactionInterceptor, WithoutTransaction } from '../../src/auth/transaction.interceptor';
import { declaredOperations, nameOf, type Operation } from '../contract/operations';

const changing = declaredOperations().filter(({ method }) => method !== 'GET');
const isMarked = ({ handler }: Operation): boolean => Reflect.hasMetadata(WithoutTransaction.KEY, handler);

test('only the operations on sessions are marked to need no transaction', () => {
  expect(changing.filter(isMarked).map(nameOf)).toEqual(['POST /sessions', 'DELETE /sessions/:id', 'POST /tokens']);
});

test.each(changing.filter((operation) => !isMarked(operation)).map((operation) => [nameOf(operation), operation]))(
  '%s runs in one transaction, inside all other interceptors',
  (_name, operation) => {
    const interceptors = Reflect.getMetadata(INTERCEPTORS_METADATA, operation.handler) as unknown[];
    expect(interceptors.indexOf(TransactionInterceptor)).toBe(interceptors.length - 1);
  },
);
