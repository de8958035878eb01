import { Injectable, OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyInstance } from 'fastify';
import type { Account } from '../../platform/http/access/account';
import { BoundedMap } from '../../platform/base/bounded-map';
import type { AuthorizedRequest } from '../../platform/http/access/request-access';
import { InjectRecords, Records } from '../../platform/records/records';
import { onRequestEnd } from '../../platform/http/edge/request-end';
import { User, type UserRecord } from '../users/user.schema';

const MINUTE = 60_000;

/** The most keys whose last use is remembered; those of others are written again. */
const MAX_REMEMBERED = 10_000;

/**
 * Stores when API keys were last used, to the minute. It writes after the response, outside the write
 * loop and at most once a minute for each key, so it neither delays a request nor fails one.
 */
@Injectable()
export class ApiKeyUse implements OnModuleInit {
  /** The minute that was stored for a key. */
  private readonly stored = new BoundedMap<number>(MAX_REMEMBERED);

  constructor(
    private readonly host: HttpAdapterHost,
    @InjectRecords(User.name) private readonly users: Records<UserRecord>,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    onRequestEnd(fastify, ({ request }) => this.note((request as AuthorizedRequest).access?.account));
  }

  private note(account: Account | undefined): void {
    if (!account?.apiKeyId) return;
    const [id, minute] = [String(account.apiKeyId), Math.floor(Date.now() / MINUTE)];
    if (this.stored.get(id) === minute) return;
    this.stored.set(id, minute);
    const use = { $set: { 'apiKeys.$[used].lastUsedAt': new Date(minute * MINUTE) } };
    const options = { arrayFilters: [{ 'used._id': account.apiKeyId }] };
    // If this fails, the next request tries again.
    this.users.updateInternal({ _id: account._id }, use, options).catch(() => this.stored.delete(id));
  }
}
