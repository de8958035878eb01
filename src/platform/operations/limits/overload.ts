import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Injectable, Logger, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../base/settings/settings';

/**
 * Above the mean delay of the event loop (ms), or this share of the heap limit, requests are rejected. Bodies are
 * outside the heap, so the container's memory counts too: above this share of it, requests are rejected while it grows
 * by the other share per interval. The process keeps memory that was freed and uses it again, so its size alone would
 * reject forever. What a garbage collection frees does not count, where the process has `--expose-gc`.
 */
const BOUNDS = { maxEventLoopDelay: 1000, maxHeapUsed: 0.95, maxMemoryUsed: 0.85, maxMemoryGrowth: 0.02 };

/** Times between two measurements of the event loop and the memory, and between two samples of the delay (ms). */
const INTERVAL_MS = 1000;
const RESOLUTION_MS = 10;

/** Shortest time between two garbage collections of a container that is nearly full (ms): each stops all requests. */
const COLLECTION_INTERVAL_MS = 5000;

/** Shortest time between two log lines about an overload (ms). */
const LOG_INTERVAL_MS = 60_000;

/**
 * Detects that the process is overloaded. Event loop utilization is no sign of it: a service that is busy and keeps up
 * has it too. Off in tests, where loading modules blocks the event loop for longer.
 */
@Injectable()
export class Overload implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Is true while requests are to be rejected. */
  present = false;

  private readonly log = new Logger('Overload');
  private readonly delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private timer: NodeJS.Timeout | undefined;
  private logged = -Infinity;
  private collected = -Infinity;
  /** The mean delay of the event loop when it was last measured (ms). */
  private delay = 0;
  /** The memory of the process when it was last measured (bytes). */
  private memory = 0;

  constructor(private readonly settings: Settings) {}

  /** Not before: assembling the service blocks the event loop. */
  onApplicationBootstrap(): void {
    if (this.settings.nodeEnv === 'test') return;
    this.delays.enable();
    this.timer = setInterval(() => this.measure(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.delays.disable();
  }

  /** Compares the delays since the last call, and the memory in use, with the bounds. */
  measure(bounds = BOUNDS): void {
    // Without samples, as at a busy start, the last one stays.
    if (this.delays.count > 0) this.delay = this.delays.mean / 1e6 - RESOLUTION_MS;
    this.delays.reset();
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const isContainerFull = this.fillsContainer(bounds);
    this.present = isContainerFull || used > limit * bounds.maxHeapUsed || this.delay > bounds.maxEventLoopDelay;
    if (!this.present || Date.now() - this.logged < LOG_INTERVAL_MS) return;
    this.logged = Date.now();
    const [heap, memory] = [used, this.memory].map((bytes) => Math.round(bytes / 2 ** 20));
    const measured = `event loop delay ${Math.round(this.delay)} ms, heap ${heap} MiB, memory ${memory} MiB`;
    this.log.warn(`Overloaded, rejecting requests: ${measured}`);
  }

  private fillsContainer({ maxMemoryUsed, maxMemoryGrowth }: typeof BOUNDS): boolean {
    const before = this.memory;
    this.memory = process.memoryUsage.rss();
    // Without a limit, 0 or more memory than there is.
    const constrained = process.constrainedMemory() || Infinity;
    const isFull = (): boolean =>
      this.memory > constrained * maxMemoryUsed && this.memory - before > constrained * maxMemoryGrowth;
    if (!isFull() || !globalThis.gc || Date.now() - this.collected < COLLECTION_INTERVAL_MS) return isFull();
    this.collected = Date.now();
    void globalThis.gc();
    this.memory = process.memoryUsage.rss();
    return isFull();
  }
}
