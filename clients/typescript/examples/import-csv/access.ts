import { env } from 'node:process';

/** The options of a client, from `ROSTER` and `ROSTER_KEY`. @throws Error that says what is wrong with them */
export function access(): { baseUrl: string; key: string; retries: number } {
  const { ROSTER: baseUrl = 'http://127.0.0.1:3000' } = env;
  const key = env.ROSTER_KEY?.trim();
  if (!key) throw new Error('ROSTER_KEY is not set; it must be an API key (roster_…).');
  if (/[^!-~]/.test(key)) throw new Error('ROSTER_KEY must be an API key (roster_…).');
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl)) throw new Error('ROSTER must be an http or https URL without ? and #.');
  return { baseUrl, key, retries: 10 };
}
