import { ResponseField } from './response-fields';

/** The parts of a slug. */
class FriendlySlugDto {
  /** The name, made into a slug. @example "miller-sons" */
  @ResponseField() base!: string;
  /** Distinguishes records with the same base; 0 is the base alone. @example 0 */
  @ResponseField('integer') index!: number;
}

/** The slugs of a record by the field that they are made from. */
export class FriendlySlugsDto {
  @ResponseField(FriendlySlugDto) slug!: FriendlySlugDto;
}
