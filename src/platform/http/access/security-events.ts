import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import { afterCommit } from '../../records/transactions/transaction';
import type { Account } from './account';

/** Events of the security log (docs/operating.md): the `event` of a line, and its message. */
export const securityEvents = {
  login: 'Login',
  loginFailed: 'Failed login',
  logout: 'Logout',
  refreshTokenReused: 'Refresh token used again',
  rolesChanged: 'Roles changed',
  suspensionChanged: 'Suspension changed',
  passwordChanged: 'Password changed',
  apiKeyCreated: 'API key created',
  apiKeyDeleted: 'API key deleted',
  adminCommand: 'Admin command',
  externalIdChanged: 'External id changed',
  identityUnknown: 'Unknown identity',
  accessRefused: 'Access refused',
} as const;

export type SecurityEvent = keyof typeof securityEvents;

/** The request, or the command of an operator, that code runs for. */
export interface ActorContext {
  /** The caller, once it is known. */
  readonly account?: () => Account | undefined;
  readonly operator?: string;
  readonly address?: string;
  readonly requestId?: string;
  /** The person at the terminal is told in another way. */
  readonly isAnnounced?: boolean;
}

/** Who acts now: set for each request and command. */
export const actorContext = new AsyncLocalStorage<ActorContext>();

/** The address of the client, `request.ip`; none for commands and the service itself. */
export function callerAddress(): string | undefined {
  return actorContext.getStore()?.address;
}

/** Number of log lines of each event, for the metrics. */
export const eventCounts = new Map<SecurityEvent, number>();

const log = new Logger('Security');

/**
 * Writes one line of the security log, with the actor, address and request id; in a transaction, after the commit.
 * @param fields ids and names; never a secret, and never text that was not checked, where people may type passwords
 */
export function logSecurity(event: SecurityEvent, fields: Readonly<Record<string, unknown>> = {}): void {
  afterCommit(() => {
    eventCounts.set(event, (eventCounts.get(event) ?? 0) + 1);
    const { account, operator, address, requestId, isAnnounced } = actorContext.getStore() ?? {};
    const actor = account?.()?._id.toHexString() ?? operator;
    log[isAnnounced ? 'debug' : 'log']({ msg: securityEvents[event], event, actor, address, requestId, ...fields });
  });
}
