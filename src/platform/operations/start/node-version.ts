// Imported first, and parsed by any Node.js: no syntax and no imports that an old one lacks.

/** As "engines" in package.json. */
const LEAST = [22, 22] as const;

/** Says that this Node.js is too old; nothing if it is not. @param version as in `process.versions.node` */
export function oldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return undefined;
  return `Node.js ${version} is too old: Roster needs ${LEAST.join('.')} or newer. See https://nodejs.org.`;
}

const problem = oldNode(process.versions.node);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
