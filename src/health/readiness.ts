import { Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../logging/message-of';

/** Asks something whether it can be used right now; throws when it cannot. */
export type Probe = () => Promise<void>;

/**
 * What must hold before requests should come here. Whoever is responsible for a condition says how it stands;
 * `GET /health/ready` tells the sum. The reasons go to the log only: they may name hosts, which callers are not to learn.
 */
@Injectable()
export class Readiness {
  private readonly log = new Logger('Readiness');
  private readonly conditions = new Map<string, true | string>();
  private readonly asked = new Map<string, Probe>();
  private readonly logged = new Map<string, true | string>();

  /**
   * Says how a condition stands.
   * @param condition its name, shown to callers: `database`, `admin`
   * @param state true when it holds, otherwise why it does not, for the log
   */
  set(condition: string, state: true | string): void {
    this.conditions.set(condition, state);
    this.report(condition, state);
  }

  /** Says that a condition does not hold yet, as is to be expected at the start. */
  pending(condition: string): void {
    this.conditions.set(condition, 'is not there yet');
  }

  /**
   * Adds a condition that is asked for each time, within a bound: `probe('database', () => connection.db.command(…))`.
   */
  probe(condition: string, probe: () => Promise<unknown>): void {
    this.asked.set(condition, async () => {
      try {
        await probe();
        this.report(condition, true);
      } catch (error) {
        this.report(condition, messageOf(error));
        throw error;
      }
    });
  }

  /** The conditions to ask for, by name. */
  get probes(): ReadonlyMap<string, Probe> {
    return this.asked;
  }

  /** The names of the conditions that were last said not to hold. */
  get unmet(): readonly string[] {
    return [...this.conditions].filter(([, state]) => state !== true).map(([condition]) => condition);
  }

  /** One line a change: load balancers ask every few seconds. */
  private report(condition: string, state: true | string): void {
    const before = this.logged.get(condition) ?? true;
    this.logged.set(condition, state);
    if (before === state) return;
    if (state === true) this.log.log(`Ready: ${condition}`);
    else this.log.warn(`Not ready: ${condition}: ${state}`);
  }
}
