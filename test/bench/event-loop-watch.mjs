// Measures the event loop of the process while work runs.
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

const collections = [];
const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
const delays = monitorEventLoopDelay({ resolution: 1 });

/** Long turns of the event loop. */
const turns = [];
let last;
let lastCpu;

function turn() {
  const now = performance.now();
  const { user, system } = process.threadCpuUsage();
  const cpu = (user + system) / 1000;
  if (now - last > 5) turns.push([last, now, cpu - lastCpu]);
  last = now;
  lastCpu = cpu;
}

/**
 * Upper limit of the milliseconds of a turn without garbage collection: other threads may have used the
 * processor.
 */
function ownMs([start, end, cpuMs]) {
  let ms = end - start;
  for (const { startTime, duration } of collections) {
    ms -= Math.max(0, Math.min(end, startTime + duration) - Math.max(start, startTime));
  }
  return Math.min(ms, cpuMs);
}

/**
 * Runs the work and returns its duration, the processor time of all threads, the longest delay of the event
 * loop, the longest such delay without garbage collection, the longest garbage collection, and the peak of
 * memory; `result` is the result of the work.
 */
export async function watched(work) {
  observer.observe({ entryTypes: ['gc'] });
  delays.enable();
  turn();
  turns.length = 0;
  const timer = setInterval(turn, 1);
  const before = process.cpuUsage();
  const started = performance.now();
  const result = await work();
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  turn();
  // Garbage collections are reported one turn later.
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(timer);
  delays.disable();
  observer.disconnect();
  const delayMs = delays.max / 1e6;
  const stretchMs = Math.max(0, ...turns.map(ownMs));
  const gcMs = Math.max(0, ...collections.map(({ duration }) => duration));
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return { result, ms, cpuMs, delayMs, stretchMs, gcMs, peakMb };
}
