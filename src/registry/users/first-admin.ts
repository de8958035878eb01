import { randomBytes } from 'node:crypto';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { FirstAdminSettings, Settings } from '../../platform/base/settings/settings';
import { DatabaseStart, NoAdminError } from '../../platform/records/start/database-start';
import type { AdminLogin } from '../../platform/operations/start/announce';
import { Transactions } from '../../platform/records/transactions/transactions';
import { ApiError } from '../../platform/base/errors/api-error';
import { Admins } from './admins';
import { UsersService } from './users.service';

/** The company name of the first Admin. */
export const COMPANY = 'Administrators';

/** Creates an Admin when there is none: from `ADMIN_*`, or in development one with a random password. */
@Injectable()
export class FirstAdmin implements OnModuleInit {
  /** The Admin that this start generated. */
  private generated: FirstAdminSettings | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly admins: Admins,
    private readonly users: UsersService,
    private readonly start: DatabaseStart,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.start.beforeReady(() => this.ensure());
  }

  /** The login to show, once, to the person who started the service: the generated one, or of the oldest Admin the name. */
  async login(): Promise<AdminLogin> {
    return this.generated ?? { username: await this.admins.firstUsername() };
  }

  /** @throws NoAdminError when there is no Admin and no `ADMIN_*` to make one from */
  private async ensure(): Promise<void> {
    if (await this.admins.exist()) return;
    const admin = this.settings.admin ?? this.generate();
    if (!admin) {
      const advice = 'Set ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD, and restart.';
      throw new NoAdminError(`There is no Admin. ${advice}`);
    }
    try {
      const body = { ...admin, companyName: COMPANY, roles: ['admin' as const] };
      await this.transactions.run(() => this.users.create({ isAdmin: true }, body));
    } catch (error) {
      // Any other error may be gone at the next attempt.
      if (!(error instanceof ApiError) || !['usernameTaken', 'emailTaken'].includes(error.errorName)) throw error;
      this.generated = undefined;
      // Another instance that starts at the same time may have created it.
      if (!(await this.admins.exist())) {
        throw new NoAdminError(`The first Admin cannot be created: ${error.message}`);
      }
    }
  }

  private generate(): FirstAdminSettings | undefined {
    if (this.settings.environment === 'production') return undefined;
    const password = randomBytes(12).toString('base64url');
    this.generated ??= { username: 'admin', email: 'admin@localhost', password };
    return this.generated;
  }
}
