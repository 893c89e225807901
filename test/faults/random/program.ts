/**
 * Runs exchanges and prints their problems. Runs in a separate process, because some of the faults that it
 * looks for end processes. Arguments: a file with certificates, the first seed and the number of exchanges.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { type Certificates, Exchange } from './exchange.ts';
import { everything } from './plan.ts';
import { endWatch, pause, pendingTimers, replaceClock, settles, watch } from './time.ts';

/** Number of concurrent exchanges. */
const width = 24;
/** Time-out of an exchange: milliseconds of the client clock and, after them, real milliseconds. */
const longestMs = 600_000;
const graceMs = 10_000;

const [file = '', seeds = ''] = process.argv.slice(2);
// The file is written by the test.
const certificates = JSON.parse(readFileSync(file, 'utf8')) as Certificates;

/**
 * Warnings of Node.js itself: too many listeners, too long timers. The package emits warnings with its own
 * names.
 */
const nodeWarnings = /^(Warning|DeprecationWarning|(MaxListeners|Timeout)\w+)$/;

const present = new AsyncLocalStorage<number>();
const running: Map<number, Exchange> = new Map();
const failures: string[] = [];
const met: Map<string, number> = new Map();

function report(seed: number | undefined, problem: string): void {
  const exchange = seed === undefined ? undefined : running.get(seed);
  const who = exchange === undefined ? `one of ${[...running.keys()].join(' ')}` : String(seed);
  const plan = exchange === undefined ? '' : ` ${JSON.stringify(exchange.outcome.plan)}`;
  failures.push(`KGEN_SEED=${who}${plan}: ${problem}`);
}

function count(names: readonly string[]): void {
  for (const name of names) met.set(name, (met.get(name) ?? 0) + 1);
}

process.on('uncaughtException', (error) => report(present.getStore(), `uncaught ${inspect(error)}`));
process.on('unhandledRejection', (error) => report(present.getStore(), `unhandled ${inspect(error)}`));
process.on('warning', (warning) => {
  if (nodeWarnings.test(warning.name)) report(present.getStore(), `a warning: ${inspect(warning)}`);
});

function print(): void {
  const unmet = everything.filter((name) => !met.has(name));
  console.log(JSON.stringify({ failures, unmet, met: Object.fromEntries(met) }));
}

// The parent process has stopped waiting.
process.on('SIGTERM', () => {
  for (const [seed, { phase }] of running) report(seed, `has not ended: ${phase}`);
  print();
  process.exit(1);
});

async function play(seed: number): Promise<void> {
  const exchange = new Exchange(seed, certificates);
  running.set(seed, exchange);
  await present.run(seed, async () => {
    if (!(await settles(exchange.run(), longestMs, graceMs))) report(seed, `stuck: ${exchange.phase}`);
    const { plan, problems, ends } = exchange.outcome;
    for (const problem of problems) report(seed, problem);
    count([plan.wire, plan.end, plan.idleMs > 0 ? 'idle' : 'busy', ...plan.calls, ...ends]);
  });
  running.delete(seed);
}

/**
 * Returns the resources that keep the process running. Bytes of a closed connection may be in transit for a
 * few more ticks.
 */
async function held(): Promise<readonly string[]> {
  const left = (): readonly string[] =>
    process.getActiveResourcesInfo().filter((name) => !/^(PipeWrap|TTYWrap|Immediate|CloseReq)$/.test(name));
  for (let turn = 0; turn < 100 && left().length > 0; turn += 1) await pause(10);
  return left();
}

replaceClock();
watch((ms) => report(undefined, `the event loop was held for ${ms} ms`));
const queue = seeds.split(',').map(Number);
await Promise.all(
  Array.from({ length: width }, async () => {
    for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) await play(seed);
  }),
);
endWatch();
const left = await held();
if (left.length > 0) failures.push(`after the end remains ${left.join(', ')}`);
if (pendingTimers() > 0) failures.push(`after the end there are still ${pendingTimers()} timers`);
print();
// Remaining resources must not delay the report.
process.exit();
