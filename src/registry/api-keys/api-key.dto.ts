import { API_KEY_SCOPES, type ApiKeyScope } from '../../platform/http/access/api-key';
import { ResponseField } from '../../platform/http/responses/response-fields';
import type { ApiKey } from '../users/api-key.schema';
import { IsoDate } from '../../platform/http/fields/date-field';
import { PresentedSecret } from '../../platform/http/fields/password-fields';
import { ReadOnlyFields } from '../../platform/http/fields/read-only-fields';
import { Text } from '../../platform/http/fields/text-fields';
import { OneOf } from '../../platform/http/fields/value-fields';

/** A new API key. */
@ReadOnlyFields('_id', 'hint', 'lastUsedAt', 'createdAt', 'createdBy')
export class ApiKeyInput {
  /** The program that uses it. @example "Nightly import" */
  @Text({ max: 100, kind: 'name' }) name!: string;
  /** `read` for GET and HEAD only. @example "write" */
  @OneOf(API_KEY_SCOPES) scope!: ApiKeyScope;
  /**
   * When the key stops working; a date alone holds until the end of that day in UTC. Left out: never. Required, and within
   * 30 days, if you have no password.
   */
  @IsoDate({ future: true, default: null }) expiresAt!: string | null;
  /** Your own password, required if you have one. @example "a long-winded passphrase" */
  @PresentedSecret({ optional: true }) currentPassword?: string;
}

/** A key with which a program acts as its User. */
export class ApiKeyDto {
  /** The id of the key. @example "65f5f0a2c3d4e5f60718293d" */
  @ResponseField('id') _id!: string;
  /** The program that uses it. @example "Nightly import" */
  @ResponseField() name!: string;
  /** `read` for GET and HEAD only. @example "write" */
  @ResponseField() scope!: ApiKeyScope;
  /** When the key stops working, as it was sent; null: never. @example "2027-03-16" */
  @ResponseField() expiresAt!: string | null;
  /** The last four characters of the key. @example "x3Qz" */
  @ResponseField() hint!: string;
  /** When it was last used, to the minute. @example "2026-03-16T19:07:00.000Z" */
  @ResponseField('timestamp') lastUsedAt!: string | null;
  /** When it was created. @example "2026-03-16T19:07:54.575Z" */
  @ResponseField('timestamp') createdAt!: string;
  /** The User who created it; may have been deleted since. @example "65f5f0a2c3d4e5f60718293a" */
  @ResponseField('id') createdBy!: string;
}

/** A new API key, with the key itself. */
export class CreatedApiKeyDto extends ApiKeyDto {
  /** Shown this once: send it as `Authorization: Bearer <key>`. */
  @ResponseField() key!: string;
}

/** A key as responses show it, without its hash. */
export type ApiKeyRecord = Omit<ApiKey, 'hash'>;

/** What a POST creates. */
export type CreatedApiKey = ApiKeyRecord & Pick<CreatedApiKeyDto, 'key'>;
