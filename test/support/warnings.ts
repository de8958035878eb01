import { EventEmitter, once } from 'node:events';
import { Logger } from '@nestjs/common';

interface Warnings {
  readonly lines: string[];
  /** Resolves once a line matches. @returns this line */
  logged(pattern: RegExp): Promise<string>;
}

/** Catches the warnings in the log, until `jest.restoreAllMocks`. */
export function catchWarnings(): Warnings {
  const lines: string[] = [];
  const log = new EventEmitter();
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => {
    lines.push(String(line));
    log.emit('line');
  });
  const logged = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const line = lines.find((one) => pattern.test(one));
      if (line !== undefined) return line;
      await once(log, 'line');
    }
  };
  return { lines, logged };
}
