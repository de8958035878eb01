import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An instruction of a Dockerfile: its name, and the rest of the line as it stands. */
interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of our Dockerfile, without comments, each on one line. */
export const dockerfile: readonly Instruction[] = readFileSync(join(__dirname, '../../Dockerfile'), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .flatMap((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    return name && rest ? [{ name, rest }] : [];
  });

const ofImage = (name: string): string => dockerfile.findLast((instruction) => instruction.name === name)!.rest;

/** Configuration of the image, as the last stage says it. */
export const image = {
  command: JSON.parse(ofImage('CMD')) as string[],
  env: Object.fromEntries(
    ofImage('ENV')
      .split(' ')
      .map((pair) => pair.split('=', 2)),
  ) as Record<string, string>,
  healthcheck: JSON.parse(ofImage('HEALTHCHECK').replace(/^.*?CMD /, '')) as string[],
  port: ofImage('EXPOSE'),
  user: ofImage('USER'),
};
