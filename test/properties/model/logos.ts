import type { State } from './state';
import { Case, isAdmin } from './verdict';

type Logo = string | null;

/**
 * Whether the caller may make a File the logo: one that they uploaded (Admin: any) and that is no logo, or the present
 * one (contract §3 Organization).
 */
export function mayBeLogo(judged: Case, logo: Logo, present: Logo = null): boolean {
  if (logo === null || logo === present) return true;
  const file = judged.state.files.get(logo);
  return file?.organizationId === null && (file.createdBy === judged.request.actor || isAdmin(judged));
}

/** Attaches the new logo; the one that it replaces stays, as a File that is no logo. */
export function attachLogo({ files }: State, organizationId: string, logo: Logo, former: Logo = null): void {
  for (const [id, owner] of [
    [former, null],
    [logo, organizationId],
  ] as const) {
    const file = id === null ? undefined : files.get(id);
    if (file) file.organizationId = owner;
  }
}
