import { THROWS, Throws } from './throws.decorator';

test('@Throws records the errors of a handler for the documentation', () => {
  const handler = (): void => undefined;
  Throws('wrongLogin', 'fileInUse')({}, 'handler', { value: handler });
  expect(Reflect.getMetadata(THROWS, handler)).toEqual(['wrongLogin', 'fileInUse']);
});
