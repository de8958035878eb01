/** An Organization and the APIs that it publishes. */
export interface Entry {
  name: string;
  url: string;
  description: string;
  apis: { name: string; url: string }[];
}

/**
 * Reads Organizations from a CSV with the columns organization, url, description, api and api_url: one row per API.
 *
 * @param text fields may be in double quotes
 */
export function readEntries(text: string): Entry[] {
  const entries = new Map<string, Entry>();
  for (const line of text.trim().split('\n').slice(1)) {
    const [name = '', url = '', description = '', api = '', apiUrl = ''] = fieldsOf(line);
    const entry = entries.get(name) ?? { name, url, description, apis: [] };
    if (api) entry.apis.push({ name: api, url: apiUrl });
    entries.set(name, entry);
  }
  return [...entries.values()];
}

function fieldsOf(line: string): string[] {
  const fields = line.trimEnd().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...fields].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
