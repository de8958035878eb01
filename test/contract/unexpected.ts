import { Logger } from '@nestjs/common';

/**
 * Listens for what no request may cause, whatever is in it: unexpected errors, unhandled rejections and warnings of the
 * service and of Node.js.
 *
 * @returns what ends it, and fails if there was any
 */
export function watchUnexpected(): () => void {
  const found: string[] = [];
  const note = (what: string) => (about: unknown) => void found.push(`${what}: ${describe(about)}`);
  const onRejection = note('unhandled rejection');
  const onWarning = note('warning');
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(note('error'));
  const fatal = jest.spyOn(Logger.prototype, 'fatal').mockImplementation(note('fatal'));
  process.on('unhandledRejection', onRejection).on('warning', onWarning);
  return () => {
    error.mockRestore();
    fatal.mockRestore();
    process.off('unhandledRejection', onRejection).off('warning', onWarning);
    expect(found).toEqual([]);
  };
}

function describe(about: unknown): string {
  if (about instanceof Error) return about.stack ?? about.message;
  const { err } = (about ?? {}) as { err?: unknown };
  return err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(about);
}
