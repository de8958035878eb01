import { pages, proseOf } from './pages';

/** Code spans that are commands. */
const COMMAND =
  /^(?:[A-Z_]+=\S* )*(?:npm (?:start$|test|run|ci|prune)|(?:npx|node|docker|mongo\w+|openssl) |\.ci\/run)/;

/** Between two commands of a line, and not in quotes. */
const OUTSIDE_QUOTES = / (?:&&|\|) (?=(?:[^']*'[^']*')*[^']*$)/;

interface Command {
  /** The page. */
  readonly path: string;
  readonly line: string;
}

/** The commands of a page: lines of its `bash` blocks (the tour runs its `sh` blocks itself), and code spans. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].flatMap(([, lines = '']) => lines.trim().split('\n'));
  const spans = [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const lines = [...blocks, ...spans.filter((span) => COMMAND.test(span))];
  return lines.map((line) => line.replace(/ +#.*$/, '')).flatMap((line) => line.split(OUTSIDE_QUOTES));
}

/** The command lines of all pages. */
export const commands: readonly Command[] = pages.flatMap(({ path, text }) =>
  commandsOf(text).map((line) => ({ path, line })),
);
