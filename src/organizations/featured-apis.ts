import type { FieldError } from '../errors/field-error';
import type { OrganizationRecord } from './organization.schema';

/**
 * Checks the APIs that an Organization features: public ones of its own (contract §3 Organization). Those that it already
 * features need no check: an API that becomes private or is deleted leaves them. Implemented by the apis module.
 */
export interface FeaturedApis {
  /** @returns the field error, if any, of the ids that are new */
  check(organization: OrganizationRecord, ids: readonly string[]): Promise<FieldError[]>;

  /**
   * Adds a reference to each API that is new, inside the Organization's transaction.
   *
   * @param organization only its id while it is being created
   * @returns the field error, if any, of an id that can no longer be featured
   */
  addReferences(
    organization: Pick<OrganizationRecord, '_id'> & Partial<OrganizationRecord>,
    ids: readonly string[],
  ): Promise<FieldError[]>;
}
