import type { LogoShape } from './logo';

/** Whoever works for the example company. They log in by these names; Lena manages nothing. */
export const EMPLOYERS = [
  {
    companyName: 'Brackenholt',
    domain: 'brackenholt.example',
    people: ['amina', 'bruno', 'chiara', 'daan', 'elif', 'farah', 'goran', 'hana', 'kofi', 'lena'],
  },
  { companyName: 'Fjord Freight', domain: 'fjord-freight.example', people: ['ivo', 'june'] },
] as const;

/** An Organization of the example company. */
export interface CompanyOrganization {
  readonly description: string;
  /** Usernames; the first one creates it. */
  readonly managers: readonly string[];
  readonly logo: readonly [shape: LogoShape, colour: string];
}

/** By name. */
export const ORGANIZATIONS: Readonly<Record<string, CompanyOrganization>> = {
  Payments: {
    description: 'Cards, invoices and refunds, for the web shop and for partners.',
    managers: ['amina', 'bruno'],
    logo: ['ring', '8a3b5c'],
  },
  Orders: {
    description: 'From the order to the parcel at the door, and back.',
    managers: ['chiara', 'daan'],
    logo: ['arrow', 'b3541e'],
  },
  'Product Data': {
    description: 'What we sell, what it costs, and how much of it is there.',
    managers: ['elif', 'daan'],
    logo: ['tiles', '7a6a1f'],
  },
  'Customer Accounts': {
    description: 'Who our customers are, and what they have agreed to.',
    managers: ['farah', 'goran'],
    logo: ['person', '2f7d5b'],
  },
  'Web Shop': {
    description: 'The shop on the web and on the phone.',
    managers: ['goran', 'hana'],
    logo: ['diamond', '5f5aa2'],
  },
  Finance: {
    description: 'Bookkeeping, taxes and reports.',
    managers: ['kofi', 'bruno'],
    logo: ['bars', '2a6f97'],
  },
  'Fjord Freight': {
    description: 'Carrier of Brackenholt since the first parcel. We bring it over water, rail and road.',
    managers: ['ivo', 'june'],
    logo: ['waves', '1f5f8b'],
  },
};
