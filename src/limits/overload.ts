import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Injectable, Logger, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings';

/**
 * Above the mean delay of the event loop (ms), or these shares of the heap limit and of the container's memory, requests
 * are rejected. Bodies are outside the heap, so the heap alone would not show a flood of uploads. The allocator keeps
 * memory that was freed and uses it again: the memory is full only if JavaScript also holds the last share of it.
 */
const BOUNDS = { maxEventLoopDelay: 1000, maxHeapUsed: 0.95, maxMemoryUsed: 0.9, maxMemoryHeld: 0.5 };

/**
 * A buffer of this size (bytes) makes V8 begin a collection; a process that rejects all requests allocates too little for
 * one. Nothing is written to the buffer, so it takes up no memory.
 */
const COLLECTED_AFTER = 64 * 2 ** 20;

/** Times between two measurements of the event loop and the memory, and between two samples of the delay (ms). */
const INTERVAL_MS = 1000;
const RESOLUTION_MS = 10;

/** Shortest time between two log lines about an overload (ms). */
const LOG_INTERVAL_MS = 60_000;

/**
 * Detects that the process is overloaded. Event loop utilization is no sign of it: a service that is busy and keeps up has
 * it too. Off in tests, where loading modules blocks the event loop for longer.
 */
@Injectable()
export class Overload implements OnModuleInit, OnApplicationShutdown {
  /** Is true while requests are to be rejected. */
  present = false;

  private readonly log = new Logger('Overload');
  private readonly delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private timer: NodeJS.Timeout | undefined;
  private logged = -Infinity;

  constructor(private readonly settings: Settings) {}

  onModuleInit(): void {
    if (this.settings.environment === 'test') return;
    this.delays.enable();
    this.timer = setInterval(() => this.measure(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.delays.disable();
  }

  /** Compares the delays since the last call, and the memory in use, with the bounds. */
  measure(bounds = BOUNDS): void {
    // Without a sample the event loop was blocked all the time.
    const delay = this.delays.count === 0 ? Infinity : this.delays.mean / 1e6 - RESOLUTION_MS;
    this.delays.reset();
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const isContainerFull = fillsContainer(bounds);
    // For the next measurement.
    if (isContainerFull) beginCollection();
    this.present = isContainerFull || used > limit * bounds.maxHeapUsed || delay > bounds.maxEventLoopDelay;
    if (!this.present || Date.now() - this.logged < LOG_INTERVAL_MS) return;
    this.logged = Date.now();
    const [heap, memory] = [used, process.memoryUsage.rss()].map((bytes) => Math.round(bytes / 2 ** 20));
    const measured = `event loop delay ${Math.round(delay)} ms, heap ${heap} MiB, memory ${memory} MiB`;
    this.log.warn(`Overloaded, rejecting requests: ${measured}`);
  }
}

function fillsContainer({ maxMemoryUsed, maxMemoryHeld }: typeof BOUNDS): boolean {
  const { rss, heapTotal, external } = process.memoryUsage();
  // Without a limit, 0 or more memory than there is.
  const constrained = process.constrainedMemory() || Infinity;
  return rss > constrained * maxMemoryUsed && heapTotal + external > constrained * maxMemoryHeld;
}

function beginCollection(): void {
  try {
    new ArrayBuffer(COLLECTED_AFTER);
  } catch {
    // No address space is left. V8 collects garbage before it gives up.
  }
}
