import type { Service } from './service';

/** Where an id is still stored: `apis.organizationId`. Events and `createdBy` may name what is gone (contract §1.8). */
export async function remainsOf(service: Service, id: string): Promise<string[]> {
  const { events: _, ...contents } = await service.contents();
  return [...new Set(Object.entries(contents).flatMap(([name, records]) => pathsOf(records, id, name)))];
}

function pathsOf(value: unknown, id: string, path: string): string[] {
  if (String(value) === id) return [path];
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, id, path));
  if (typeof value !== 'object' || value === null || '_bsontype' in value) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'createdBy' ? [] : pathsOf(member, id, name === '_id' && !path.includes('.') ? path : `${path}.${name}`),
  );
}
