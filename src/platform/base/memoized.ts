/**
 * Makes a function compute its result once per argument: schemas and Models do not change after the start. A promise that
 * is rejected is not kept.
 */
export function memoized<K extends object, T extends object | string>(compute: (key: K) => T): (key: K) => T {
  const results = new WeakMap<K, T>();
  return (key) => {
    const known = results.get(key);
    if (known) return known;
    const result = compute(key);
    results.set(key, result);
    if (result instanceof Promise) result.catch(() => results.delete(key));
    return result;
  };
}
