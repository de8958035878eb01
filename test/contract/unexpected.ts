import { Logger } from '@nestjs/common';

/** Unexpected errors, unhandled rejections and warnings of the service and of Node.js. */
export interface Unexpected {
  readonly found: string[];
  stop(): void;
}

/** Listens for what no request may cause, whatever is in it. */
export function watchUnexpected(): Unexpected {
  const found: string[] = [];
  const note = (what: string) => (about: unknown) => void found.push(`${what}: ${describe(about)}`);
  const onRejection = note('unhandled rejection');
  const onWarning = note('warning');
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(note('error'));
  const fatal = jest.spyOn(Logger.prototype, 'fatal').mockImplementation(note('fatal'));
  process.on('unhandledRejection', onRejection).on('warning', onWarning);
  const stop = (): void => {
    error.mockRestore();
    fatal.mockRestore();
    process.off('unhandledRejection', onRejection).off('warning', onWarning);
  };
  return { found, stop };
}

function describe(about: unknown): string {
  if (about instanceof Error) return about.stack ?? about.message;
  const { err } = (about ?? {}) as { err?: unknown };
  return err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(about);
}
