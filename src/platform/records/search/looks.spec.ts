import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { type Look, Looks } from './looks';
import { SearchTexts } from './search-texts';

const MIB = 2 ** 20;

/** 8 MiB of one text: what takes long in them is to look for a text that they almost contain. */
function textsOf(text: string): SearchTexts {
  const texts = new SearchTexts();
  for (let at = 0; at < 2 * 1024; at += 1)
    texts.set({ id: at.toString(16).padStart(24, '0'), text: text.repeat(4096 / text.length), open: 4096 });
  return texts;
}

/** The processor's time (ms) in the longest turn of the event loop during this work, without its garbage collection. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  void work.finally(() => (isOver = true));
  const collections = [0];
  const observer = new PerformanceObserver((list) => {
    collections.push(...list.getEntries().map(({ duration }) => duration));
  });
  observer.observe({ entryTypes: ['gc'] });
  let longest = 0;
  while (!isOver) {
    const before = process.threadCpuUsage();
    await setImmediate();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
  }
  await setImmediate();
  observer.disconnect();
  return longest - Math.max(...collections);
}

describe('searches of texts', () => {
  it.each([
    ['ab', 'a'],
    ['aaaaaab', 'a'],
    ['漁漁網', '漁'],
  ])('leave the event loop free when 16 run at the same time: %s in texts full of %s', async (text, full) => {
    const looks = new Looks();
    const texts = textsOf(full);
    const search = { text, own: 'all', limit: 10 };
    expect(await looks.run('ada', texts.look(search))).toEqual({ ids: [], isAll: true });
    // On a busy machine some wait for too long, and are refused.
    const all = Array.from({ length: 16 }, () => looks.run('ada', texts.look(search)));
    expect(await longestTurn(Promise.allSettled(all))).toBeLessThan(25);
  });

  it('of one account do not delay those of another', async () => {
    const looks = new Looks();
    const texts = textsOf('a');
    const ended: string[] = [];
    const look = (account: string) =>
      looks.run(account, texts.look({ text: 'ab', own: 'all', limit: 10 })).then(() => ended.push(account));
    await Promise.allSettled([...Array.from({ length: 16 }, () => look('ada')), look('bob')]);
    expect(ended).toContain('bob');
    expect(ended.indexOf('bob')).toBeLessThan(3);
  });

  it('run one at a time per account after the first MiB', async () => {
    const looks = new Looks();
    const goingOn = new Set<string>();
    const over = new Set<string>();
    function* read(name: string): Look {
      yield MIB;
      for (goingOn.add(name); !over.has(name);) yield 2 * MIB;
      goingOn.delete(name);
      return { ids: [name], isAll: true };
    }
    const run = (account: string, name: string) => looks.run(account, read(name));
    const all = [run('ada', 'ada 1'), run('ada', 'ada 2'), run('bob', 'bob 1')];
    while (goingOn.size < 2) await setImmediate();
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    expect([...goingOn]).toEqual(['ada 1', 'bob 1']);
    over.add('ada 1');
    await all[0];
    while (goingOn.size < 2) await setImmediate();
    expect([...goingOn]).toEqual(['bob 1', 'ada 2']);
    over.add('ada 2').add('bob 1');
    expect((await Promise.all(all)).map(({ ids }) => ids[0])).toEqual(['ada 1', 'ada 2', 'bob 1']);
  });

  it('of less than a MiB do not wait for longer ones of their account', async () => {
    const looks = new Looks();
    let isOver = false;
    function* read(): Look {
      while (!isOver) yield 2 * MIB;
      return { ids: [], isAll: true };
    }
    const long = looks.run('ada', read());
    const texts = new SearchTexts();
    texts.set({ id: 'a', text: 'nets', open: 4 });
    expect(await looks.run('ada', texts.look({ text: 'nets', own: 'all', limit: 1 }))).toEqual({
      ids: ['a'],
      isAll: true,
    });
    isOver = true;
    await long;
  });
});
