import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { Precondition } from '../responses/etag';
import type { Known, UnreadBody } from '../body/unread-body';
import { field, reports } from './field';

const PRESENT = Symbol('present ids');

/** Reads the ids as they are; those of a new record as they will be. */
type PresentIds = (known: Known) => readonly object[];

/**
 * Ids that a request may repeat, in any order, but not change (5004, contract §1.5).
 * @param changedUnder the path of the operations that change them
 */
export function RepeatedIds(present: PresentIds, changedUnder: string): PropertyDecorator {
  // `withoutRepeated` has removed what may be sent.
  const validator = { validate: () => false };
  return applyDecorators(
    Reflect.metadata(PRESENT, present),
    field({
      presence: { optional: true },
      validators: [
        ValidateBy({ name: 'repeated', validator }, reports('changedElsewhere', `is changed under ${changedUnder}`)),
      ],
      schema: { type: Object, readOnly: true },
    }),
  );
}

/** The members of a body without the ids that they repeat, and without those that a stale If-Match is about (412). */
export function withoutRepeated(
  dto: new () => object,
  members: Readonly<Record<string, unknown>>,
  { headers, known }: Pick<UnreadBody, 'headers' | 'known'>,
): Record<string, unknown> {
  const { record } = known;
  const isStale = record !== undefined && !new Precondition(headers['if-match']).allows(record);
  const isRepeated = ([name, sent]: [string, unknown]): boolean => {
    const present = Reflect.getMetadata(PRESENT, dto.prototype as object, name) as PresentIds | undefined;
    return present !== undefined && (isStale || isSame(sent, present(known).map(String)));
  };
  return Object.fromEntries(Object.entries(members).filter((member) => !isRepeated(member)));
}

function isSame(sent: unknown, present: readonly string[]): boolean {
  return Array.isArray(sent) && sent.length === present.length && present.every((id) => sent.includes(id));
}
