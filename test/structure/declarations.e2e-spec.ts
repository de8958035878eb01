import { brokenDeclarations } from '../support/declarations';
import { useService } from '../support/service';

const service = useService();

test('every id in a schema declares what a deletion does, and every unique index its conflict', () => {
  expect(brokenDeclarations(service.connection)).toEqual([]);
});
