import { Types } from 'mongoose';
import type { Settings } from '../config/settings';
import type { Account } from './account';
import { Change } from './change';
import { Judgement } from './judgement';
import { rules } from './rules';
import type { TargetFinder } from './target';

const id = '65f5f0a2c3d4e5f60718293a';
const owner: Account = { _id: new Types.ObjectId(), isAdmin: false, sessionId: new Types.ObjectId() };
const stranger: Account = { ...owner, _id: new Types.ObjectId() };

/** What is stored, as a TargetFinder finds it; a test changes it as another request would. */
let stored: { ownerId: Types.ObjectId; revision: number } | undefined;
let reads: number;
const target: TargetFinder = {
  segment: 'things/:id',
  failure: 'fileNotFound',
  find: () => {
    reads += 1;
    return Promise.resolve(stored && { record: stored, ownerId: stored.ownerId });
  },
};
const parent: TargetFinder = { ...target, segment: 'boxes/:boxId', find: () => Promise.resolve({ record: 'a box' }) };

function judgement(account: Account | undefined = owner, targets = [target]): Judgement {
  const names = ['boxId', 'id'].slice(-targets.length);
  const plan = { rule: rules.self, targets: targets.map((one, index) => ({ param: names[index] ?? '', target: one })) };
  const made = new Judgement(plan, { id, boxId: id }, {} as Settings);
  made.account = account;
  return made;
}

async function change(ifMatch?: string): Promise<Change<{ revision: number }>> {
  const judged = judgement(owner, [parent, target]);
  await judged.judgeTargets();
  return new Change(owner, judged, ifMatch);
}

beforeEach(() => {
  stored = { ownerId: owner._id, revision: 3 };
  reads = 0;
});

describe('a judgement', () => {
  it('reads once what it started to read early', async () => {
    const judged = judgement();
    judged.startReading();
    await judged.judgeTargets();
    expect([reads, judged.found]).toEqual([1, [{ record: stored, ownerId: owner._id }]]);
  });

  it('keeps the failure of an early read for the check that owns it, and lets nothing end the process', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    stored = undefined;
    const judged = judgement();
    judged.startReading();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    await expect(judged.judgeTargets()).rejects.toMatchObject({ code: 1305 });
  });

  it('allows by the record that it found, and forbids everybody else', async () => {
    const [mine, theirs] = [judgement(), judgement(stranger)];
    await Promise.all([mine.judgeTargets(), theirs.judgeTargets()]);
    expect(() => mine.judgeAccess()).not.toThrow();
    expect(() => theirs.judgeAccess()).toThrow(expect.objectContaining({ status: 403, code: 1200 }) as Error);
  });

  it('has found nothing before it looked, and forbids as long', () => {
    expect(judgement().found).toEqual([]);
    expect(() => judgement().judgeAccess()).toThrow(expect.objectContaining({ status: 403 }) as Error);
  });

  it('judges again by what is there now: 404, 403, or the record', async () => {
    const judged = judgement();
    await judged.judgeTargets();
    stored = { ownerId: owner._id, revision: 4 };
    expect(await judged.again()).toMatchObject({ record: { revision: 4 } });
    stored = { ownerId: stranger._id, revision: 5 };
    await expect(judged.again()).rejects.toMatchObject({ status: 403 });
    stored = undefined;
    await expect(judged.again()).rejects.toMatchObject({ status: 404 });
  });
});

describe('the record under change', () => {
  it('comes with what the path names before it', async () => {
    const changing = await change();
    expect(changing.record).toBe(stored);
    expect(changing.parent()).toBe('a box');
  });

  it.each([
    [undefined, false, true],
    ['*', true, true],
    ['"1-3"', true, true],
    ['"1-2"', true, false],
    ['W/"1-3"', true, false],
  ])('with If-Match %j: conditional %j, passes %j', async (header, conditional, passes) => {
    const changing = await change(header);
    expect(changing.isConditional).toBe(conditional);
    const required = (): void => changing.requireMatch();
    if (passes) expect(required).not.toThrow();
    else expect(required).toThrow(expect.objectContaining({ status: 412, code: 1600 }) as Error);
  });

  it('is compared with the tag that is given instead of its own', async () => {
    const changing = await change('"of-its-body"');
    expect(() => changing.requireMatch('"of-its-body"')).not.toThrow();
    expect(() => changing.requireMatch()).toThrow();
  });

  it('is written at the revision that was judged last', async () => {
    const revisions: number[] = [];
    const changing = await change();
    const written = await changing.write(({ revision }) => {
      revisions.push(revision);
      if (revision === 4) return Promise.resolve('written');
      stored = { ownerId: owner._id, revision: 4 };
      return Promise.resolve(undefined);
    });
    expect([written, revisions]).toEqual(['written', [3, 4]]);
  });

  it('is given up after five tries in vain', async () => {
    const attempt = jest.fn().mockResolvedValue(undefined);
    await expect((await change()).write(attempt)).rejects.toMatchObject({ status: 409, code: 1510 });
    expect(attempt).toHaveBeenCalledTimes(5);
  });

  it('is not written once others took it, or the right to it', async () => {
    const changing = await change();
    const lose = (next: typeof stored) => () => {
      stored = next;
      return Promise.resolve(undefined);
    };
    await expect(changing.write(lose({ ownerId: stranger._id, revision: 4 }))).rejects.toMatchObject({ status: 403 });
    await expect(changing.write(lose(undefined))).rejects.toMatchObject({ status: 404 });
  });
});
