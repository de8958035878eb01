import type { FieldErrorName } from '../../src/errors/field-error';
import { upload } from '../files/uploads';
import type { ApiResponse } from '../support/client';
import { png } from '../support/images';
import { NOTHING, organizationBody } from '../support/records';
import type { World } from './world';

interface Row {
  /** The wrong field, as the response names it. */
  readonly title: string;
  readonly request: (world: World) => Promise<ApiResponse>;
}

/** An Organization with one wrong field. */
const organization = (title: string, fields: object): Row => ({
  title,
  request: ({ manager }) => manager.post('/organizations', organizationBody(fields)),
});

/** A User with one wrong field. */
const user = (title: string, value: unknown): Row => ({
  title,
  request: ({ service: { admin } }) => {
    const body = { username: 'faulty', companyName: 'Faulty', email: 'f@x.example', password: 'a long passphrase' };
    return admin.post('/users', { ...body, [title.split('.', 1)[0] ?? '']: value });
  },
});

/** A request for each field error of the table (src/errors/field-error.ts). */
export const fieldErrorRows: Readonly<Record<FieldErrorName, Row>> = {
  missing: organization('name', { name: null }),
  blank: organization('name', { name: ' ' }),
  wrongType: organization('name', { name: 1 }),
  forbiddenCharacters: organization('name', { name: 'a\u0000' }),
  tooShort: user('password', '1234567'),
  tooLong: organization('description', { description: 'a'.repeat(1001) }),
  tooManyItems: organization('featuredApiIds', { featuredApiIds: ['1', '2', '3', '4', '5'].map((d) => d.repeat(24)) }),
  badFormat: organization('url', { url: 'x' }),
  notOneOf: user('roles.0', ['root']),
  outOfRange: { title: 'file', request: ({ manager }) => upload(manager, png(4097, 1)) },
  repeatedItem: user('roles.1', ['admin', 'admin']),
  namesNothing: organization('organizationLogoFileId', { organizationLogoFileId: NOTHING }),
  wrongCurrentPassword: {
    title: 'currentPassword',
    request: ({ manager: { user: own, id }, manager }) =>
      manager.put(`/users/${id}`, { ...own, password: 'a new passphrase', currentPassword: 'wrong' }),
  },
  tooCommon: user('password', 'password1'),
  unknownField: organization('zzz', { zzz: 1 }),
};
