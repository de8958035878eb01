import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OidcClaims } from '../../platform/http/access/account';
import { logSecurity } from '../../platform/http/access/security-events';
import { USERNAME_MAX, USERNAME_MIN } from '../../platform/http/fields/text-fields';
import { validateFields } from '../../platform/http/fields/validate-fields';
import { type ApiError, apiError } from '../../platform/base/errors/api-error';
import { Settings } from '../../platform/base/settings/settings';
import { accountKey, emailKey } from '../../platform/base/text/case-fold';
import { inAscii } from '../../platform/records/schema/slug-text';
import { InjectRecords, Records } from '../../platform/records/records';
import { actAs } from '../../platform/records/transactions/context';
import { CreateUserInput } from './user.dto';
import { User, type UserRecord } from './user.schema';

/** Creates the Users of identities that have none, from the claims of their tokens (contract §11). */
@Injectable()
export class Registrations {
  constructor(
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
    private readonly settings: Settings,
  ) {}

  /**
   * Creates the User of an identity. A username and an e-mail address never find one, because people can choose them at
   * the provider.
   */
  async create({ subject, payload }: OidcClaims): Promise<UserRecord> {
    if (await this.users.exists({ externalId: subject })) throw apiError('externalIdTaken');
    const { email, companyName, ...fields } = this.fieldsFrom(payload, subject);
    if (payload.email_verified !== true && !this.settings.oidcEmailTrusted)
      throw refusal('email_verified', 'must be true');
    if (await this.users.exists({ emailKey: emailKey(email) }))
      throw refusal('email', 'is the address of another User');
    const username = await this.freeUsername(fields.username);
    const given = { username, email, companyName, externalId: subject };
    const user = await this.users.insert({ ...given, emailSetByAdmin: false, passwordHash: null });
    actAs(user);
    logSecurity('externalIdChanged', { userId: String(user._id), externalId: subject });
    return user;
  }

  /** The claims as fields of a User, with the rules of the bodies that create one. @throws ApiError noAccount */
  private fieldsFrom(payload: Readonly<Record<string, unknown>>, subject: string): CreateUserInput {
    const { oidcCompanyName: companyName, oidcSubjectClaim } = this.settings;
    const { email, preferred_username: preferred, username = email } = payload;
    const names = [preferred ?? username, email].map(usernameIn);
    const isLong = (name: string): boolean => name.length >= USERNAME_MIN;
    const values = { username: names.find(isLong) ?? 'user', email, companyName, externalId: subject };
    const { value, fieldErrors } = validateFields(CreateUserInput, values);
    // Stored in another form, it would be another identity.
    if (value.externalId !== subject) throw refusal(oidcSubjectClaim, 'has a form that cannot be stored');
    const [wrong] = fieldErrors;
    if (!wrong) return value;
    throw refusal(wrong.title === 'externalId' ? oidcSubjectClaim : wrong.title, wrong.detail);
  }

  /** The username itself, or with a number if somebody has it. */
  private async freeUsername(wanted: string, username = wanted): Promise<string> {
    if (!(await this.users.exists({ usernameKey: accountKey(username) }))) return username;
    const suffix = `-${randomInt(1000, 10_000)}`;
    return this.freeUsername(wanted, wanted.slice(0, USERNAME_MAX - suffix.length) + suffix);
  }
}

/** The longest part of a claim that is used (characters): the time of the patterns is quadratic. */
const MAX_CLAIM = 1000;

/** The characters of a claim that a username may have, in ASCII, without the domain of an address; one `-` replaces others. */
function usernameIn(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  const visible = claim.slice(0, MAX_CLAIM).normalize('NFKC').replace(INVISIBLE, '');
  return inAscii(visible.replace(/@.*/s, ''))
    .replace(/-*[^\w-]\W*/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, USERNAME_MAX)
    .replace(/-+$/, '');
}

/** Contract §10.1. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function refusal(claim: string, reason: string): ApiError {
  return apiError('noAccount', `No account was created: the claim "${claim}" ${reason}.`);
}
