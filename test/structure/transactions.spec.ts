import { WithoutTransaction } from '../../src/platform/http/access/decorators';
import { declaredOperations, type Operation } from '../support/operations';

const changing = declaredOperations().filter(({ method }) => method !== 'GET');
const isMarked = ({ handler }: Operation): boolean => Reflect.hasMetadata(WithoutTransaction.KEY, handler);

test('only the operations on sessions are marked to need no transaction', () => {
  expect(changing.filter(isMarked).map(({ title }) => title)).toEqual([
    'POST /sessions',
    'DELETE /sessions/:id',
    'POST /tokens',
  ]);
});
