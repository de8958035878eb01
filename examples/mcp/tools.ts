import { env } from 'node:process';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** A tool that only reads. The text of an error says what to do. */
export function reading<Input>(read: (input: Input) => Promise<Record<string, unknown>>) {
  return async (input: Input): Promise<CallToolResult> => {
    try {
      const result = await read(input);
      return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: problemOf(error as Error) }] };
    }
  };
}

function problemOf({ message, cause }: Error): string {
  return cause instanceof Error ? `Roster does not respond: ${cause.message}` : message;
}

/** A setting from the environment; without one that fits, the program ends with a sentence. */
export function setting(name: string, what: string, pattern: RegExp): string {
  const value = env[name] ?? '';
  if (pattern.test(value)) return value;
  console.error(`${name} must be set to ${what}.`);
  return process.exit(2);
}
