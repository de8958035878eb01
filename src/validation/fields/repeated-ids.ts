import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { Precondition } from '../../http/etag';
import type { Known, UnreadBody } from '../../http/body/unread-body';
import { field, reports } from './field';

interface RepeatedIdsOptions {
  /** The ids as they are; those of a new record as they will be. */
  present(this: void, known: Known): readonly object[];
  /** The path of the operations that change them. */
  changedUnder: string;
}

const PRESENT = Symbol('present ids');
type PresentIds = Readonly<Record<string, RepeatedIdsOptions['present']>>;

/** Ids that a request may repeat, in any order, but not change (5004, contract §1.5). */
export function RepeatedIds({ present, changedUnder }: RepeatedIdsOptions): PropertyDecorator {
  const message = `is changed under ${changedUnder}`;
  return applyDecorators(
    ({ constructor }: object, name: string | symbol) =>
      Reflect.defineMetadata(PRESENT, { ...presentOf(constructor), [name]: present }, constructor),
    field({
      presence: { optional: true },
      // `withoutRepeated` has removed what may be sent.
      validators: [
        ValidateBy({ name: 'repeated', validator: { validate: () => false } }, reports('changedElsewhere', message)),
      ],
      schema: { type: Object, readOnly: true },
    }),
  );
}

function presentOf(dto: object): PresentIds {
  return (Reflect.getMetadata(PRESENT, dto) ?? {}) as PresentIds;
}

/** The members of a body without the ids that they repeat, and without those that a stale If-Match is about (412). */
export function withoutRepeated(
  dto: object,
  members: Readonly<Record<string, unknown>>,
  { headers, known }: Pick<UnreadBody, 'headers' | 'known'>,
): Record<string, unknown> {
  const { record } = known;
  const isStale = record !== undefined && !new Precondition(headers['if-match']).allows(record);
  const left = { ...members };
  for (const [name, present] of Object.entries(presentOf(dto)))
    if (isStale || isSame(members[name], present(known).map(String))) delete left[name];
  return left;
}

function isSame(sent: unknown, present: readonly string[]): boolean {
  return Array.isArray(sent) && sent.length === present.length && present.every((id) => sent.includes(id));
}
