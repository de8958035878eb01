import { readFileSync } from 'node:fs';
import { apiErrors } from '../../src/platform/base/errors/api-error';
import '../../src/registry/errors';
import { embeddedIn } from '../support/copies';
import type { ApiResponse } from '../support/client';
import { expectError, expectOutcome } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import type { Send } from '../support/scene';
import { sceneFile, scenes } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';

const limits = [...scenes].flatMap(([resource, { limits = [] }]) => limits.map((limit) => ({ ...limit, resource })));

/** The limits on a number of records that docs/contract.md §3 and §4 have: the heading, and the number. */
function documented(): string[] {
  const contract = readFileSync('docs/contract.md', 'utf8');
  const [, text = ''] = contract.split(/^## (?:3|5)\. .+$/m);
  const codes = Object.values(apiErrors).flatMap(({ code, message }) =>
    /\blimit\b/.test(message) && code < 1600 ? [code] : [],
  );
  const records = [...scenes.keys()].map((resource) => resource.split('-').at(-1)).join('|');
  const isLimit = new RegExp(`at most [\\d,]+ (?:${records})|\\b(?:${codes.join('|')})\\b`, 'i');
  return text.split(/^### /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    const numbers = section
      .split(/\.\s/)
      .filter((sentence) => isLimit.test(sentence))
      .flatMap((sentence) => [...sentence.replaceAll(/\b409 \d{4}\b/g, '').matchAll(/(?<![\w,])\d[\d,]*(?![\w,])/g)]);
    return numbers.map(([number]) => `${heading}: ${number.replaceAll(',', '')}`);
  });
}

test('every limit that the contract documents is in a scene', () => {
  const [known, all] = [limits.map(({ section, most }) => `${section}: ${most}`), documented()];
  const missing = all.filter((limit) => !known.includes(limit));
  expect(missing.map((limit) => `${limit}: add it to \`limits\` of ${sceneFile('<resource>')}.`)).toEqual([]);
  const unknown = limits.filter((_, index) => !all.includes(known[index]!));
  expect(
    unknown.map(
      ({ resource, section, most }) =>
        `${most} is not in a sentence about a limit in docs/contract.md §3 or §4, ${section}: add it there, or correct ` +
        `\`limits\` of ${sceneFile(resource)}.`,
    ),
  ).toEqual([]);
});

describe('a limit (contract §3)', () => {
  const service = useService();

  it.each(limits)(
    'on $resource is $most ($section), also when another takes the last place meanwhile',
    async ({ resource, most, fill, post, error, message }) => {
      const stage = await Stage.of(service);
      await fill(stage, most - 1);
      const see = `Enforce it in src/registry/${resource}, or correct ${sceneFile(resource)}.`;
      const prepare = (): Promise<Send> => post?.(stage) ?? stage.post(resource);
      const [last, oneTooMany] = [await prepare(), await prepare()];
      let taken: ApiResponse | undefined;
      const takeLast = async () => (taken = await last());
      const raced = await meanwhile(service, 'before the first write', takeLast, oneTooMany);
      const { status, headers } = taken!;
      expect({ status, see }).toEqual({ status: 201, see });
      expect({ status: raced.status, see }).toEqual({ status: error ? apiErrors[error].status : 201, see });
      if (!error) return expect((await embeddedIn(stage, resource)).records).toHaveLength(most);
      for (const response of [raced, await oneTooMany()]) expectError(response, error, message);
      // One that goes leaves room.
      expectOutcome(await stage.owner.delete(headers.location!), 204);
      expectOutcome(await oneTooMany(), 201);
    },
  );
});
