import type { OpenAPIObject } from '@nestjs/swagger';
import { type AccessRule, type AccessRuleName, accessRules } from '../access/access-rules';
import type { DocumentedAccess } from '../access/decorators';
import { PathResource, Resources } from '../access/resources';
import type { ErrorName } from '../../base/errors/api-error';
import { capitalize } from '../../base/text/text';
import type { OperationObject } from './schemas';

/** One operation: its place in the document, and what its decorators say. */
export interface Operation {
  readonly method: Method;
  /** As in the document: `/organizations/{id}`. */
  readonly path: string;
  /** Its part of the document, to be completed. */
  readonly object: OperationObject;
  readonly rule: AccessRuleName;
  readonly resources: readonly PathResource[];
  /** The errors that `@Throws` adds, and that of a lost race. */
  readonly throws: readonly ErrorName[];
}

/** An operation as Nest documents it, with the extensions that `@Allow` and `@Throws` leave for this. */
interface RawOperation extends Omit<OperationObject, 'x-access'> {
  readonly 'x-access': DocumentedAccess;
  readonly 'x-throws'?: readonly ErrorName[];
}

/** Finds the operations of the raw document's paths. */
export function operationsOf(resources: Resources, paths: OpenAPIObject['paths']): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const raw = item[method] as RawOperation | undefined;
      if (!raw) return [];
      const { 'x-access': access, 'x-throws': throws = [], ...documented } = raw;
      const object: OperationObject = documented;
      const { rule } = access;
      object['x-access'] = accessText(access);
      const isList = object.parameters.some(({ name }) => name === 'skip');
      object.operationId = operationId(path, isList ? 'list' : VERBS[method]);
      const inPath = resources.inPath(path.replaceAll(/\{(\w+)\}/g, ':$1'));
      // Every change can lose a race.
      const lost: ErrorName[] = method === 'get' ? [] : ['concurrentChange'];
      return { method, path, object, rule, resources: inPath, throws: [...throws, ...lost] };
    }),
  );
}

/** Who may call an operation: "A Manager of this Organization or an Admin." */
function accessText({ rule, apiKey }: DocumentedAccess): string {
  return [whoMay(accessRules[rule]), apiKey ? undefined : 'Not with an API key.'].filter(Boolean).join(' ');
}

/** "An Admin. With `ORGANIZATION_CREATION=accounts`, the default, every account." */
export function whoMay({ who, note }: AccessRule): string {
  return [`${capitalize(who)}.`, note].filter(Boolean).join(' ');
}

const VERBS = { get: 'get', post: 'create', put: 'update', delete: 'delete' } as const;
type Method = keyof typeof VERBS;
const METHODS = Object.keys(VERBS) as Method[];

/** Names client code: `listOrganizations`, `getOrganizationManager`. All nouns in paths have a plural with `s`. */
function operationId(path: string, verb: string): string {
  const nouns = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const words = nouns.map((noun, index) => {
    return verb === 'list' && index === nouns.length - 1 ? noun : noun.replace(/s$/, '');
  });
  return verb + words.flatMap((word) => word.split('-').map(capitalize)).join('');
}
