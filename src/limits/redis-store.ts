import type { Redis } from 'ioredis';
import { RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';
import { WINDOW_SECONDS } from './counter';
import { LimiterStore } from './shared-counter';

const CONNECT_TIMEOUT_MS = 1000;

/** Counts in a Valkey or Redis server; the client is loaded and connects on the first count. */
export class RedisStore implements LimiterStore {
  readonly name: string;
  private connecting: Promise<Redis> | undefined;

  /** @param url `redis://`, `rediss://`, `valkey://` or `valkeys://` */
  constructor(private readonly url: string) {
    this.name = new URL(url).host;
  }

  /** @throws Error while the server cannot be reached */
  async open(prefix: string): Promise<RateLimiterAbstract> {
    this.connecting ??= this.connect().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    const options = { keyPrefix: `roster:${prefix}`, points: 1, duration: WINDOW_SECONDS };
    return new RateLimiterRedis({ storeClient: await this.connecting, rejectIfRedisNotReady: true, ...options });
  }

  async close(): Promise<void> {
    const client = await this.connecting?.catch(() => undefined);
    client?.disconnect();
  }

  private async connect(): Promise<Redis> {
    const { Redis } = await import('ioredis');
    const client = new Redis(this.url.replace(/^valkey/, 'redis'), {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      maxRetriesPerRequest: 0,
      enableOfflineQueue: false,
    });
    // Without a listener the client writes each failed attempt to the console; a count that fails tells the same.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      client.disconnect();
      throw error;
    }
  }
}
