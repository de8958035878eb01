import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');
const FOLDERS = ['docs', 'src', 'test', 'scripts', 'tools', 'bench', 'clients', 'examples', '.github'];

/** A page of documentation. */
export interface Page {
  /** From the root of the checkout. */
  readonly path: string;
  readonly text: string;
}

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The files of the repository, without what is installed or built. */
export const files: readonly string[] = [
  ...readdirSync(ROOT),
  ...FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap(filesOf),
];

export const pages: readonly Page[] = files
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: read(path) }));

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return ['node_modules', 'dist'].includes(entry.name) ? [] : filesOf(path);
  });
}

/** The text between code blocks. */
export function proseOf(text: string): string {
  return text.replace(/^( *)```.*?^\1```$/gms, '');
}
