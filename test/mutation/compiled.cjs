const vm = require('node:vm');

/**
 * Keeps what V8 has compiled, in the process of all mutants. jest compiles the thousands of files of a service again in
 * each run, so for each mutant, which would take longer than most tests.
 */
const compiled = new Map();

/**
 * @param compile what compiles with options like these
 * @param dataOf what V8 starts from the next time
 */
function remembering(source, options, compile, dataOf) {
  const key = options.filename ?? options.identifier;
  const known = compiled.get(key);
  if (known?.source === source) return compile({ ...options, cachedData: known.data });
  const result = compile(options);
  compiled.set(key, { source, data: dataOf(result) });
  return result;
}

const { compileFunction, SourceTextModule } = vm;
vm.compileFunction = (source, parameters, options) =>
  remembering(
    source,
    options,
    (more) => compileFunction(source, parameters, { ...more, produceCachedData: !more.cachedData }),
    ({ cachedData }) => cachedData,
  );
vm.SourceTextModule = class extends SourceTextModule {
  constructor(source, options) {
    return remembering(
      source,
      options,
      (more) => new SourceTextModule(source, more),
      (module) => module.createCachedData(),
    );
  }
};
