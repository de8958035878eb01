/** Makes a pure function of a schema, a DTO or a Model compute its result once: they do not change after the start. */
export function memoized<K extends object, T extends object | string>(compute: (key: K) => T): (key: K) => T {
  const results = new WeakMap<K, T>();
  return (key) => {
    const known = results.get(key);
    if (known) return known;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
