import type { Operation } from './operations';

const VERBS = {
  one: 'get',
  bytes: 'get',
  list: 'list',
  created: 'create',
  updated: 'update',
  deleted: 'delete',
} as const;

/** A name for client code: `listOrganizations`, `getOrganizationManager`. */
export function operationId({ path, answer: { kind } }: Pick<Operation, 'path' | 'answer'>): string {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const words = nouns.map((noun, index) => (kind === 'list' && index === nouns.length - 1 ? noun : singular(noun)));
  return VERBS[kind] + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** All nouns of paths make their plural with an `s`. */
function singular(noun: string): string {
  return noun.replace(/s$/, '');
}
