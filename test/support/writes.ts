import { WithoutTransaction } from '../../src/platform/http/access/decorators';
import type { Operation } from './operations';
import { CALLERS, type Send } from './scene';
import { resourceOf, rowsOf, sceneOf, writing } from './scenes';
import type { Service } from './service';
import { Stage } from './stage';

/** A write that succeeds. */
export interface Write {
  readonly title: string;
  readonly isTransaction: boolean;
  /** Makes the records that it is about. */
  readonly prepare: (service: Service) => Promise<Send>;
}

/** Of each operation that writes, those of its scene, or else the first row of the access matrix. */
export const writes: readonly Write[] = writing.flatMap((operation) => {
  const isTransaction = !Reflect.hasMetadata(WithoutTransaction.KEY, operation.handler);
  const { writes: own = {} } = sceneOf(resourceOf(operation));
  const special = Object.entries(own).filter(([title]) => title.startsWith(`${operation.title} `));
  const { title } = operation;
  if (special.length === 0) return { title, isTransaction, prepare: (service) => usual(operation, service) };
  return special.map(([title, prepare]) => ({
    title,
    isTransaction,
    prepare: async (service) => prepare(await Stage.of(service)),
  }));
});

/** The request of an operation by a Manager on their own records, or by who may send it if they may not. */
async function usual(operation: Operation, service: Service): Promise<Send> {
  const [row] = rowsOf(operation) as [ReturnType<typeof rowsOf>[number]];
  const { statuses, request } = row;
  const stage = await Stage.of(service);
  const isOwner = statuses[CALLERS.indexOf('Manager')]! < 300;
  const by = isOwner ? stage.owner : await stage.callerOf(resourceOf(operation));
  const sent = { ...(await stage.request(operation, by, row)), ...(await request?.(stage, by)) };
  return () => by.send(sent);
}
