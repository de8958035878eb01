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
    expect([turns.areTaken('a'), turns.areTaken('c'), turns.areTaken(undefined)]).toEqual([true, false, false]);
    await Promise.all(all);
    expect(order.filter((one) => !one.startsWith('other'))).toEqual([
      ...['first begins', 'first ends', 'second begins', 'second ends'],
    ]);
    expect(order.indexOf('other begins')).toBeLessThan(order.indexOf('second begins'));
    expect(turns.areTaken('a')).toBe(false);
  });

  it('go on when somebody stops waiting', async () => {
    const turns = new Turns();
    const end = await turns.take('a', patient);
    const impatient = turns.take('a', () => Promise.reject(new Error('too late')));
    await expect(impatient).rejects.toThrow('too late');
    const next = turns.take('a', patient);
    end();
    (await next)();
    expect(turns.areTaken('a')).toBe(false);
  });
});
