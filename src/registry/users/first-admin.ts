import { randomBytes } from 'node:crypto';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { Settings } from '../../platform/base/settings/settings';
import { DatabaseStart, NoAdminError } from '../../platform/records/start/database-start';
import type { AdminLogin } from '../../platform/operations/start/announce';
import { Transactions } from '../../platform/records/transactions/transactions';
import { ApiError } from '../../platform/base/errors/api-error';
import { Admins } from './admins';
import { UsersService } from './users.service';

/** The company name of the first Admin. */
export const COMPANY = 'Administrators';

const NAMES = { username: 'admin', email: 'admin@roster.example' };

/** Creates an Admin when there is none: with `ADMIN_PASSWORD`, or in development with a random password. */
@Injectable()
export class FirstAdmin implements OnModuleInit {
  /** The password of the Admin that this start created, if it was generated. */
  private generated: string | undefined;

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
    if (this.generated) return { username: NAMES.username, password: this.generated };
    return { username: await this.admins.firstUsername() };
  }

  private async ensure(): Promise<void> {
    if (await this.admins.exist()) return;
    const password = this.settings.adminPassword || this.generate();
    if (!password) throw new NoAdminError('There is no Admin. Set ADMIN_PASSWORD, and restart.');
    try {
      const body = { ...NAMES, password, companyName: COMPANY, roles: ['admin' as const] };
      await this.transactions.run(() => this.users.create({ isAdmin: true }, body));
    } catch (error) {
      // After any other error, the next attempt may succeed.
      if (!(error instanceof ApiError) || !['usernameTaken', 'emailTaken'].includes(error.errorName)) throw error;
      this.generated = undefined;
      // Another instance that starts at the same time may have created it.
      if (!(await this.admins.exist())) {
        throw new NoAdminError(`The first Admin cannot be created: ${error.message}`);
      }
    }
  }

  private generate(): string | undefined {
    if (this.settings.nodeEnv === 'production') return undefined;
    return (this.generated ??= randomBytes(12).toString('base64url'));
  }
}
