/** Where each name leads from each folder and by which conditions. jest forgets it after each run, so for each mutant. */
const known = new Map();

/** jest's own resolver, which remembers in the process of all mutants what it has found: files do not move meanwhile. */
module.exports = (name, options) => {
  const key = [name, options.basedir, ...(options.conditions ?? [])].join('\n');
  let path = known.get(key);
  if (path === undefined) known.set(key, (path = options.defaultResolver(name, options)));
  return path;
};
