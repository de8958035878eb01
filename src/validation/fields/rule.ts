import { ValidateBy } from 'class-validator';
import { type FieldErrorName, fieldErrors } from '../../errors/field-error';

/** One thing that a field's value must be; class-validator knows it by the name of the fault. */
export interface Rule {
  fault: FieldErrorName;
  /** The reason that the answer gives; the table's own when absent. */
  detail?: string;
  /** Whether the value keeps the rule. One that another rule judges (a missing one, a wrong type) keeps it. */
  holds(this: void, value: unknown): boolean;
  /** In a rule about items: where the first faulty one stands, -1 if none does. */
  at?(this: void, value: unknown): number;
}

/** What class-validator hands back with a rule that was broken. */
export interface RuleContext {
  at?: Rule['at'];
}

/** Hands a rule to class-validator; its constraint bears the fault's name and gives the detail as message. */
export function validateRule(rule: Rule): PropertyDecorator {
  const context: RuleContext = { at: rule.at };
  return ValidateBy(
    {
      name: rule.fault,
      validator: { validate: rule.holds, defaultMessage: () => rule.detail ?? fieldErrors[rule.fault].detail },
    },
    { context },
  );
}

/** The value is there (5001). */
export const present: Rule = { fault: 'missing', holds: (value) => value !== undefined };

/** The value, if any, is of that type (5002). */
export function ofType(type: 'string' | 'boolean', detail: string): Rule {
  return { fault: 'wrongType', detail, holds: (value) => isLeftOut(value) || typeof value === type };
}

/** A rule for strings only: what is none is another rule's business. */
export function stringRule(fault: FieldErrorName, detail: string | undefined, holds: (text: string) => boolean): Rule {
  return { fault, detail, holds: (value) => typeof value !== 'string' || holds(value) };
}

/** A text that is required has something in it (5622). */
export const notBlank: Rule = stringRule('blank', undefined, (text) => text !== '');

/** Whether a normalized value stands for nothing: null is the default of fields that may be empty. */
function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}
