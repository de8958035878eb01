import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** An instruction of a Dockerfile: its name, and the rest of the line as it stands. */
export interface Instruction {
  name: string;
  rest: string;
}

/** Parts of a built image that are needed to run it without an engine. */
export interface Image {
  /** The folder that stands for the image's `/`, and the working directory in it. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string | undefined;
  command: string[];
  healthcheck: string[];
}

/** Reads a Dockerfile: comments go, continued lines are joined. Of the syntax, what ours uses. */
export function parseDockerfile(text: string): Instruction[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, rest };
    });
}

/**
 * Does by hand what an engine would do with a Dockerfile: copies, runs, and gathers what the image says of itself. A
 * stage is a folder; the base image is this machine, its Node.js is the one that runs this.
 *
 * @param context the folder that `COPY` copies from
 * @param scratch an empty folder for the stages
 */
export async function build(instructions: readonly Instruction[], context: string, scratch: string): Promise<Image> {
  const stages = new Map<string, Image>();
  let stage: Image | undefined;
  for (const { name, rest } of instructions) {
    if (name === 'FROM') stages.set(stageName(rest, stages.size), (stage = emptyStage(scratch, stages.size)));
    else if (!stage) throw new Error(`${name} before FROM`);
    else await apply(stage, name, rest, { context, stages });
  }
  if (!stage) throw new Error('no FROM');
  return stage;
}

function stageName(rest: string, index: number): string {
  return / AS (\S+)$/.exec(rest)?.[1] ?? String(index);
}

function emptyStage(scratch: string, index: number): Image {
  const root = join(scratch, `stage-${index}`);
  return { root, workdir: '/', env: {}, user: undefined, command: [], healthcheck: [] };
}

interface Sources {
  context: string;
  stages: ReadonlyMap<string, Image>;
}

async function apply(stage: Image, name: string, rest: string, sources: Sources): Promise<void> {
  const folder = join(stage.root, stage.workdir);
  switch (name) {
    case 'WORKDIR':
      stage.workdir = rest;
      mkdirSync(join(stage.root, rest), { recursive: true });
      break;
    case 'COPY':
      copy(folder, rest, sources);
      break;
    case 'RUN':
      await promisify(execFile)('sh', ['-c', rest], { cwd: folder, env: buildEnvironment(stage) });
      break;
    case 'ENV':
      Object.assign(stage.env, Object.fromEntries([rest.split('=', 2)]));
      break;
    case 'USER':
      stage.user = rest;
      break;
    case 'CMD':
      stage.command = JSON.parse(rest) as string[];
      break;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 3)) as string[];
      break;
    case 'EXPOSE':
    case 'STOPSIGNAL':
      break;
    default:
      throw new Error(`${name} is not understood here; teach it, or the test does not follow the Dockerfile.`);
  }
}

/** Moves what is copied from a stage: no stage is used twice, and copying `node_modules` takes long. */
function copy(folder: string, rest: string, { context, stages }: Sources): void {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
  const sources = paths.split(' ');
  const target = sources.pop() ?? '';
  const stage = from === undefined ? undefined : stages.get(from);
  if (from !== undefined && !stage) throw new Error(`no stage ${from}`);
  for (const source of sources) {
    const path = stage ? join(stage.root, source) : join(context, source);
    const into = target.endsWith('/') ? join(folder, target, basename(source)) : join(folder, target);
    if (stage) renameSync(path, into);
    else cpSync(path, into, { recursive: true });
  }
}

/**
 * This machine's, so that npm reaches its registry as it does elsewhere here, but not what jest is run with. Packages
 * come from npm's cache where it has them: the checkout's own installation has filled it.
 */
function buildEnvironment(stage: Image): NodeJS.ProcessEnv {
  const { NODE_ENV: _, NODE_OPTIONS: __, ...machine } = process.env;
  const path = `${dirname(process.execPath)}${delimiter}${machine.PATH}`;
  const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  return { ...machine, ...stage.env, ...npm, PATH: path };
}
