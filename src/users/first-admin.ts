import { randomBytes } from 'node:crypto';
import { Injectable, OnModuleInit } from '@nestjs/common';
import { FirstAdminSettings, Settings } from '../config/settings';
import { DatabaseStart, NotReadyError } from '../database/database-start';
import { ApiError } from '../errors/api-error';
import { Admins } from './admins';
import { UsersService } from './users.service';

/** The company name of the first Admin. */
const COMPANY = 'Administrators';

/** Makes the first Admin when the registry has none (`ADMIN_*`; in development one with a random password). */
@Injectable()
export class FirstAdmin implements OnModuleInit {
  /** The login of the Admin that this start has made up, to be shown once to the person who started it. */
  generated: FirstAdminSettings | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly admins: Admins,
    private readonly users: UsersService,
    private readonly start: DatabaseStart,
  ) {}

  onModuleInit(): void {
    this.start.beforeReady(() => this.ensure());
  }

  private async ensure(): Promise<void> {
    if (await this.admins.exist()) return;
    const admin = this.settings.admin ?? this.generate();
    if (!admin) {
      const reason = 'There is no Admin. Set ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD, and restart.';
      throw new NotReadyError('admin', reason);
    }
    await this.create(admin);
  }

  private generate(): FirstAdminSettings | undefined {
    if (this.settings.environment === 'production') return undefined;
    const password = randomBytes(12).toString('base64url');
    this.generated = { username: 'admin', email: 'admin@localhost', password };
    return this.generated;
  }

  /** Another instance that starts at the same time may have made it: then there is an Admin, too. */
  private async create(admin: FirstAdminSettings): Promise<void> {
    const body = { ...admin, companyName: COMPANY, roles: ['admin' as const] };
    try {
      await this.users.create({ isAdmin: true }, body);
    } catch (error) {
      this.generated = undefined;
      if (!(error instanceof ApiError)) throw error;
      if (!(await this.admins.exist())) throw new Error(`The first Admin cannot be made: ${error.message}`);
    }
  }
}
