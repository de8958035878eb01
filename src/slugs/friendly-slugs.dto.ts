import { ResponseField, toResponse } from '../http/response-fields';
import type { Slug } from './slug.schema';

/** The parts of a slug. */
export class FriendlySlugDto {
  /** The name, made into a slug. @example "miller-sons" */
  @ResponseField() base!: string;
  /** Distinguishes records with the same base; 0 is the base alone. @example 0 */
  @ResponseField('integer') index!: number;
}

/** The slugs of a record by the field that they are made from. */
export class FriendlySlugsDto {
  @ResponseField('value', ({ slug }: { slug: Slug }) => toResponse(FriendlySlugDto, slug)) slug!: FriendlySlugDto;
}

/** `friendlySlugs` of a response, from a stored record. */
export function toFriendlySlugs(record: { slug: Slug }): FriendlySlugsDto {
  return toResponse(FriendlySlugsDto, record);
}
