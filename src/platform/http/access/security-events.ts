import { Logger } from '@nestjs/common';
import { afterCommit, context, currentActor } from '../../records/transactions/context';

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
  linkCreated: 'Link created',
  linkUsed: 'Link used',
  adminCommand: 'Admin command',
  externalIdChanged: 'External id changed',
  identityUnknown: 'Unknown identity',
  tokenRefused: 'Token refused',
  accessRefused: 'Access refused',
} as const;

export type SecurityEvent = keyof typeof securityEvents;

const log = new Logger('Security');

/**
 * Writes one line of the security log, with the actor, address and request id; in a transaction, after the commit.
 * @param fields ids and names; never a secret, and never text that was not checked, where people may type passwords
 */
export function logSecurity(event: SecurityEvent, fields: Readonly<Record<string, unknown>> = {}): void {
  const { operator, address, requestId } = context();
  const actor = currentActor()?._id.toHexString() ?? operator;
  afterCommit(() => {
    log.log({ msg: securityEvents[event], event, actor, address, requestId, ...fields });
    return Promise.resolve();
  });
}
