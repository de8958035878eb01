import { ApiSchema } from '@nestjs/swagger';
import type { Slug } from './slug.schema';

/** How a slug was made. */
@ApiSchema({ name: 'FriendlySlug' })
export class FriendlySlugDto {
  /** The name, made into a slug. @example "miller-sons" */
  base!: string;
  /** Tells records with the same base apart; 0 is the base alone. @example 0 */
  index!: number;
}

/** The slugs of a record by the field that they are made from. */
export class FriendlySlugsDto {
  slug!: FriendlySlugDto;
}

/** `friendlySlugs` of a response, from a stored record. */
export function toFriendlySlugs({ slug: { base, index } }: { slug: Slug }): FriendlySlugsDto {
  return { slug: { base, index } };
}
