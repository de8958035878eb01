import type { Connection } from 'mongoose';

/**
 * How long MongoDB should keep an open transaction (s). Those of a killed instance block its records, names and slugs
 * until then.
 */
const MAX_TRANSACTION_LIFETIME_S = 15;

/** Whether the server is SecantusDB, the development database (docs/adr/0003). */
export async function isSecantus(connection: Connection): Promise<boolean> {
  return 'secantusVersion' in (await connection.db!.command({ buildInfo: 1 }));
}

/**
 * Keeps the open transactions of killed instances from blocking others for long: on SecantusDB, which keeps them forever,
 * it ends all; the transactions of live instances are run again by the driver.
 *
 * @returns on other servers, a warning when they keep them for too long
 */
export async function endAbandonedTransactions(connection: Connection): Promise<string | undefined> {
  const admin = connection.db!.admin();
  if (await isSecantus(connection)) {
    await admin.command({ killAllSessions: [] });
    return undefined;
  }
  // The service's user may not be allowed to read it.
  const parameter = { getParameter: 1, transactionLifetimeLimitSeconds: 1 };
  const parameters = await admin.command(parameter).catch(() => ({}));
  const { transactionLifetimeLimitSeconds: limit = 0 } = parameters as { transactionLifetimeLimitSeconds?: number };
  if (limit <= MAX_TRANSACTION_LIFETIME_S) return undefined;
  const advice = `Set it to ${MAX_TRANSACTION_LIFETIME_S}.`;
  return `transactionLifetimeLimitSeconds is ${limit}: what a killed instance was writing stays blocked that long. ${advice}`;
}
