import { ErrorName } from '../errors/api-error';
import type { Found, TargetFinder } from './target';
import { findTargets, Targets } from './targets';

const known = '65f5f0a2c3d4e5f60718293a';

/** A TargetFinder that knows one id, and remembers what it was asked for. */
class SampleTarget implements TargetFinder {
  readonly asked: [string, unknown][] = [];
  constructor(
    readonly segment: string,
    readonly failure: ErrorName,
  ) {}

  find(id: string, parent: Found | undefined): Promise<Found | undefined> {
    this.asked.push([id, parent?.record]);
    return Promise.resolve(id === known ? { record: `${this.segment} ${id}` } : undefined);
  }
}

let organization: SampleTarget;
let manager: SampleTarget;
let targets: Targets;
beforeEach(() => {
  organization = new SampleTarget('organizations/:id', 'organizationNotFound');
  manager = new SampleTarget('managers/:managerId', 'managerNotFound');
  targets = new Targets();
  targets.register(organization);
  targets.register(manager);
});

describe('the Targets of a path', () => {
  it.each(['organizations/:id/managers/:managerId', '/organizations//:id//managers/:managerId/'])(
    'of %s are all that it names, outermost first',
    (path) => {
      expect(targets.ofPath(path)).toEqual([
        { param: 'id', target: organization },
        { param: 'managerId', target: manager },
      ]);
    },
  );

  it('are none where it names no record', () => expect(targets.ofPath('organizations/')).toEqual([]));

  it('stop the start where nobody registered one', () => {
    expect(() => targets.ofPath('organizations/:id/apis/:apiId')).toThrow(
      'The path "organizations/:id/apis/:apiId" names "apis/:apiId", for which no Target is registered.',
    );
  });
});

describe('what a request names', () => {
  const find = (params: Record<string, string>): Promise<readonly Found[]> =>
    findTargets(targets.ofPath('organizations/:id/managers/:managerId'), params);

  it('is found outermost first, each with what stands before it', async () => {
    const found = await find({ id: known, managerId: known });
    const outer = `organizations/:id ${known}`;
    expect(found).toEqual([{ record: outer }, { record: `managers/:managerId ${known}` }]);
    expect(organization.asked).toEqual([[known, undefined]]);
    expect(manager.asked).toEqual([[known, outer]]);
  });

  it('is answered for by the first that is not there', async () => {
    const other = 'f'.repeat(24);
    await expect(find({ id: other, managerId: other })).rejects.toMatchObject({ status: 404, code: 1234 });
    await expect(find({ id: known, managerId: other })).rejects.toMatchObject({ status: 404, code: 1304 });
    expect(manager.asked).toHaveLength(1);
  });

  it.each([
    '',
    'x',
    known.toUpperCase(),
    `${known}0`,
    `0${known}`,
    known.slice(1),
    ` ${known}`,
    `${known}\n`,
    'g'.repeat(24),
  ])('by %j is nothing, and no database is asked', async (id) => {
    await expect(find({ id, managerId: known })).rejects.toMatchObject({ status: 404, code: 1234 });
    expect(organization.asked).toEqual([]);
  });

  it('by a parameter that is not there is nothing', async () => {
    await expect(find({})).rejects.toMatchObject({ status: 404, code: 1234 });
    expect(organization.asked).toEqual([]);
  });
});
