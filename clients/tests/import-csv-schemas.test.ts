import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Schema } from 'mongoose';
import { uniqueness } from '../typescript/examples/import-csv/dry-run.ts';
import { uniqueValues } from '../typescript/examples/import-csv/rules.ts';
import { BodySchema } from '../typescript/examples/import-csv/schemas.ts';

const integer = { type: 'integer', minimum: 0, maximum: 9 };
const document = {
  components: {
    schemas: {
      OrganizationInput: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          floors: { ...integer, type: ['integer', 'null'] },
          isOpen: { type: ['boolean', 'null'] },
          employees: { anyOf: [{ $ref: '#/components/schemas/EmployeesInput' }, { type: 'null' }] },
          _id: { type: 'string' },
        },
        required: ['name'],
        additionalProperties: false,
        'x-read-only': ['_id'],
      },
      EmployeesInput: {
        type: 'object',
        properties: { min: integer, max: integer },
        required: ['min', 'max'],
        additionalProperties: false,
      },
    },
  },
};
const schema = new BodySchema('OrganizationInput', document);

it('the dry run knows every unique field of a schema, and the items of a list', () => {
  const stored = new Schema({
    externalId: { type: String, keyField: 'externalId', taken: 'externalIdTaken' },
    aliases: { type: [String], taken: 'usernameTaken' },
    codeKey: String,
    code: { type: String, keyField: 'codeKey', taken: 'emailTaken' },
  });
  for (const name of ['externalId', 'aliases', 'codeKey'])
    stored.index({ organizationId: 1, [name]: 1 }, { unique: true });
  const conflictOf = uniqueness(
    (record) => uniqueValues('OrganizationInput', record, stored),
    [{ _id: '1', organizationId: 'a', code: 'Nets', aliases: ['x'] }],
  );
  const conflicts = [
    { organizationId: 'a', code: 'NETS' },
    { organizationId: 'b', code: 'NETS' },
    { organizationId: 'a', aliases: ['y', 'x'] },
    { organizationId: 'a', aliases: ['y', 'z'], externalId: 'Y' },
    { organizationId: 'a', aliases: ['z'], externalId: 'y' },
    { organizationId: 'a', externalId: 'Y' },
    { _id: '1', organizationId: 'a', code: 'Nets', aliases: [] },
    { organizationId: 'a', aliases: ['x'], code: null },
  ].map(conflictOf);
  const [none, code, alias] = [undefined, 'emailTaken', 'usernameTaken'];
  assert.deepEqual(conflicts, [code, none, alias, none, alias, 'externalIdTaken', none, none]);
});

describe('the columns of a spreadsheet', () => {
  it('are the fields that a program may set, those of an object one by one', () => {
    assert.deepEqual(schema.columns, ['name', 'floors', 'isOpen', 'employees.min', 'employees.max']);
  });

  it('have the values of a record, empty for null, and only texts are marked', () => {
    const employees = { min: -5, max: 9 };
    assert.deepEqual(schema.cellsOf({ name: '-5', floors: null, isOpen: true, employees }), [
      "'-5",
      '',
      'true',
      '-5',
      '9',
    ]);
    assert.deepEqual(schema.cellsOf({ name: 'Nets', isOpen: false, employees: null }), ['Nets', '', 'false', '', '']);
    assert.deepEqual(schema.bodyOf({ floors: null, 'employees.max': null }), {
      floors: null,
      employees: { max: null },
    });
  });

  it('have whole numbers, also in an object', () => {
    const body = schema.bodyOf({ name: 'Nets', floors: '3', 'employees.min': '5', 'employees.max': '09' });
    assert.deepEqual(body, { name: 'Nets', floors: 3, employees: { min: 5, max: 9 } });
  });
});
