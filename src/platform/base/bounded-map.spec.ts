import { BoundedMap } from './bounded-map';

it('a BoundedMap forgets its oldest entry when it is full, and replaces a value in its place', () => {
  const map = new BoundedMap<number>(2);
  map.set('one', 1).set('two', 2).set('one', 3).set('four', 4);
  expect([...map]).toEqual([
    ['two', 2],
    ['four', 4],
  ]);
});
