import type { Service } from './service';

/**
 * Where an id is still stored: `apis.organizationId`. Events and `createdBy` may name deleted records (contract §1.8).
 * @param also a `createdBy` that may not: `files.createdBy`
 */
export async function remainsOf(service: Service, id: string, also?: string): Promise<string[]> {
  const { events: _, ...contents } = await service.contents();
  const paths = Object.entries(contents).flatMap(([name, records]) => pathsOf(records, id, name));
  return [...new Set(paths)].filter((path) => path === also || !path.endsWith('.createdBy'));
}

function pathsOf(value: unknown, id: string, path: string): string[] {
  if (String(value) === id) return [path];
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, id, path));
  if (typeof value !== 'object' || value === null || '_bsontype' in value) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, id, name === '_id' && !path.includes('.') ? path : `${path}.${name}`),
  );
}
