import { Turns } from './turns';

const patient = (turn: Promise<void>): Promise<void> => turn;

describe('the turns of writes', () => {
  it('of a record come one after another, in order; those of other records at once', async () => {
    const turns = new Turns();
    const order: string[] = [];
    const write = async (record: string, name: string): Promise<void> => {
      const end = await turns.take(record, patient);
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      end();
    };
    const all = [write('a', 'first'), write('a', 'second'), write('b', 'other')];
    const over = turns.areOver('a').then((waited) => order.push(`over: ${waited}`));
    await expect(turns.areOver('c')).resolves.toBe(false);
    await Promise.all([...all, over]);
    expect(order.filter((one) => !one.startsWith('other '))).toEqual([
      ...['first begins', 'first ends', 'second begins', 'second ends', 'over: true'],
    ]);
    expect(order.indexOf('other begins')).toBeLessThan(order.indexOf('second begins'));
    await expect(turns.areOver('a')).resolves.toBe(false);
  });

  it('go on when somebody stops waiting', async () => {
    const turns = new Turns();
    const end = await turns.take('a', patient);
    const impatient = turns.take('a', () => Promise.reject(new Error('too late')));
    await expect(impatient).rejects.toThrow('too late');
    let isOver = false;
    const over = turns.areOver('a').then(() => (isOver = true));
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    end();
    await over;
    (await turns.take('a', patient))();
    await new Promise(setImmediate);
    await expect(turns.areOver('a')).resolves.toBe(false);
  });
});
