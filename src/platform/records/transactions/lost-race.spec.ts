import { mongo } from 'mongoose';
import { lostRaceOf, throwLost } from './lost-race';

describe('a lost race', () => {
  const coded = (code: number): Error => new mongo.MongoServerError({ message: 'refused', code });
  const labelled = new mongo.MongoNetworkError('closed');
  labelled.addErrorLabel('TransientTransactionError');

  it.each([coded(112), coded(251), coded(11000), labelled])(
    'is a conflict, a duplicate key or a transaction that may run again',
    (error) => {
      expect(lostRaceOf(error)).toMatchObject({ cause: error });
    },
  );

  it.each([coded(13), new Error('disk full'), undefined])('is no other error: %s', (error) => {
    expect(lostRaceOf(error)).toBeUndefined();
  });

  it('names its record', () => {
    const error = coded(11000);
    expect(() => throwLost(error, 'a')).toThrow(expect.objectContaining({ cause: error, record: 'a' }) as Error);
  });

  it('is not made of another error', () => {
    const error = new Error('disk full');
    expect(() => throwLost(error, 'a')).toThrow(error);
  });
});
