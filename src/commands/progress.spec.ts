import { Paper } from '../../test/support/paper';
import { Progress } from './progress';

test('progress is a line every five seconds, and one at the end', () => {
  jest.useFakeTimers();
  const paper = new Paper();
  const progress = new Progress(paper, 'Users', 60);
  for (let batch = 1; batch <= 3; batch += 1) {
    jest.advanceTimersByTime(3000);
    progress.advance(20);
  }
  progress.end('60 added');
  expect(paper.text).toBe('· Users 40 of 60 …\n✔ Users: 60 added\n');
});
