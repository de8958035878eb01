import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { Json } from '../support/json';

const FOLDER = join(__dirname, '../../.github/workflows');
const workflows = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);

describe.each(workflows)('the workflow %s', (_name, text) => {
  it('pins each action by the hash of a commit, and names its version: a tag can be moved', () => {
    const uses = [...text.matchAll(/\buses: *(.*)/g)].map(([, action]) => action!);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((action) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it('leaves no credentials in the checkout, for what its other steps run', () => {
    const steps = Object.values<Json>((load(text) as Json).jobs).flatMap((job): Json[] => job.steps);
    const checkouts = steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
  });
});
