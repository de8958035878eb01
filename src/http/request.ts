import type { FastifyRequest } from 'fastify';
import type { Account } from '../auth/account';
import type { Judgement } from '../auth/judgement';

/** A request and what the guards have learned of it: nothing is read twice. */
export interface RosterRequest extends FastifyRequest {
  /** Who asks; none where an operation needs no account. */
  account?: Account;
  /** What the path names and whether the caller may; none outside the contract's operations. */
  judgement?: Judgement;
}
