import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from './safe-cell.ts';

/** The body of a request, as openapi.json describes it. */
export type BodyName = 'OrganizationInput' | 'ApiInput' | 'UpdateApiConsumerInput';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  $ref?: string;
  items?: Schema;
  enum?: unknown[];
  pattern?: string;
  anyOf?: Schema[];
  /** The fields of a request that only the service sets. */
  'x-read-only'?: string[];
}

interface Document {
  components: { schemas: Record<string, Schema> };
}

const DOCUMENT = join(import.meta.dirname, '../../../../openapi.json');

/** What the cells of a row mean in the body of a request. Fields of an object have columns such as `address.city`. */
export class BodySchema {
  /** The columns, each with its schema, without read-only fields. */
  readonly #fields: Map<string, Schema>;
  readonly #document: Document;
  readonly name: BodyName;

  /** @param document openapi.json */
  constructor(name: BodyName, document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document) {
    this.name = name;
    this.#document = document;
    this.#fields = new Map(this.#fieldsOf(document.components.schemas[name]!, ''));
  }

  /** The names of the columns that a program may fill in. */
  get columns(): string[] {
    return [...this.#fields.keys()];
  }

  /** The body that the cells describe, by column; `null` clears the field. */
  bodyOf(cells: Record<string, string | null>): Record<string, unknown> {
    const body: Record<string, unknown> = {};
    for (const [column, cell] of Object.entries(cells)) {
      const [field = '', inner] = column.split('.');
      const value = cell === null ? null : this.#valueOf(column, cell);
      body[field] = inner === undefined ? value : { ...(body[field] as object), [inner]: value };
    }
    return body;
  }

  /** The text of a record in a column: empty for `null`. */
  textOf(record: object, column: string): string {
    const value = column.split('.').reduce(memberOf, record as unknown);
    return Array.isArray(value) ? value.join(' ') : String(value ?? '');
  }

  /** The cells of a record, in the order of the columns. Only texts can be run or converted as something that they are not. */
  cellsOf(record: object): string[] {
    return this.columns.map((column) => {
      const types = [this.#fields.get(column)?.type ?? []].flat();
      const text = this.textOf(record, column);
      return types.includes('boolean') || types.includes('integer') ? text : marked(text);
    });
  }

  /** A list of words, true or false, a whole number, or text. */
  #valueOf(column: string, cell: string): unknown {
    const { type = [], items = {}, enum: words } = this.#fields.get(column) ?? {};
    const types = [type].flat();
    if (types.includes('array')) return wordsOf(cell).map((word) => inCaseOf(items, word));
    if (words) return inCaseOf({ enum: words }, cell);
    if (types.includes('boolean') && /^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
    if (types.includes('integer') && /^-?\d+$/.test(cell)) return Number(cell);
    return cell;
  }

  #fieldsOf({ properties = {}, 'x-read-only': readOnly = [] }: Schema, prefix: string): [string, Schema][] {
    return Object.entries(properties).flatMap(([name, schema]) => {
      if (readOnly.includes(name)) return [];
      const reference = [schema, ...(schema.anyOf ?? [])].find(({ $ref }) => $ref)?.$ref;
      const object = reference && this.#document.components.schemas[reference.split('/').at(-1)!];
      if (object) return this.#fieldsOf(object, `${prefix}${name}.`);
      return [[`${prefix}${name}`, schema] as [string, Schema]];
    });
  }
}

/** A word in lower case where only that is allowed. */
function inCaseOf({ enum: words, pattern = '' }: Schema, word: string): string {
  const isAllowed = (one: string) => words?.includes(one) ?? new RegExp(pattern, 'u').test(one);
  return !isAllowed(word) && isAllowed(word.toLowerCase()) ? word.toLowerCase() : word;
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}

/** The words of a cell: they are separated by white space, `;` or `,`. */
export function wordsOf(cell: string): string[] {
  return cell.split(/[\s,;]+/).filter((word) => word !== '');
}
