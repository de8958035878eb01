import { AsyncLocalStorage } from 'node:async_hooks';
import type { ApiResponse } from './client';
import type { Service } from './service';

/** When something else happens during a request. After its first write, its transaction is open. */
type Moment = 'after the guards' | 'before the first write' | 'after the first write' | 'before every write';

/** The moments between what the guards read and what the service writes. */
export const MOMENTS = ['after the guards', 'before the first write'] as const;

const WRITES = [
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'findOneAndReplace',
  'findOneAndDelete',
  'replaceOne',
] as const;

type Write = (...args: unknown[]) => Promise<unknown>;

/**
 * Sends a request during which something else happens, always at the same moment, where a race gets there only now and
 * then. Needs nothing of the services: it waits for the guards, or for calls of the database driver.
 *
 * @param event mostly other requests, which must succeed
 * @throws Error when the event did not happen, or failed
 */
export async function meanwhile(
  service: Service,
  moment: Moment,
  event: () => Promise<unknown>,
  request: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  let done: Promise<void> | undefined;
  // Outside the transaction in whose asynchronous context the hook is called.
  const outside = AsyncLocalStorage.snapshot();
  const happen = (): Promise<void> => (done = outside(async () => requireSuccess(await event())));
  const restore = hook(service, moment, happen);
  try {
    const response = await request();
    if (!done) throw new Error(`The request had no moment "${moment}".`);
    await done;
    return response;
  } finally {
    restore();
  }
}

function hook(service: Service, moment: Moment, happen: () => Promise<void>): () => void {
  if (moment === 'after the guards') {
    service.afterGuards.next(happen);
    return () => service.afterGuards.next(undefined);
  }
  let isOver = false;
  // What the event writes is not the request's.
  const once = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await happen();
    isOver = moment !== 'before every write';
  };
  return onWrites(service, async (write) => {
    if (moment.startsWith('before')) await once();
    const result = await write();
    if (moment === 'after the first write') await once();
    return result;
  });
}

/**
 * Puts code around every write of a service.
 *
 * @returns what removes it
 */
export function onWrites(
  { connection }: Service,
  around: (write: () => Promise<unknown>) => Promise<unknown>,
): () => void {
  const spies = Object.values(connection.collections).flatMap((collection) =>
    WRITES.map((name) => {
      const methods = collection as unknown as Record<string, Write>;
      const write = methods[name]!.bind(collection);
      return jest.spyOn(methods, name).mockImplementation((...args) => around(() => write(...args)));
    }),
  );
  return () => spies.forEach((spy) => spy.mockRestore());
}

function requireSuccess(result: unknown): void {
  for (const one of [result].flat() as Partial<ApiResponse>[])
    if (one?.status !== undefined && one.status >= 300) throw new Error(`The event failed: ${one.status} ${one.text}`);
}
