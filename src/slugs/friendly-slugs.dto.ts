/** How a slug was made. */
export class FriendlySlugDto {
  /** The name, made a slug. @example "miller-sons" */
  base!: string;
  /** Tells records with the same base apart; 0 stands for the base alone. @example 0 */
  index!: number;
}

/** The slugs of a record by the field they are of. */
export class FriendlySlugsDto {
  slug!: FriendlySlugDto;
}

/** The slug of a record as an answer shows it. */
export function toFriendlySlugs({ base, index }: FriendlySlugDto): FriendlySlugsDto {
  return { slug: { base, index } };
}
