/**
 * Checks of what an operator keeps: after more changes of the same object, it must hold no more than before.
 * Each number is compared with itself in one run, in which nothing but the number of changes grows.
 */
import { type JsonObject, text } from '@kgen/schema/values/json';
import type { Finding } from '../checks/finding.ts';
import { idOf, idText } from '../cluster.ts';
import type { SimulatedWrite } from '../coverage.ts';
import type { Entry } from '../history.ts';
import type { RunSetup } from '../run/run-result.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { usedHeap } from './heap.ts';
import { LongRun } from './long-run.ts';
import { creationOf, type Toggle, togglesOf } from './toggles.ts';

/** Something that an operator keeps, with the run that shows it. */
export interface Leak {
  readonly finding: Finding;
  readonly schedule: Schedule;
  readonly entries: readonly Entry[];
  readonly errors: readonly string[];
}

/** An operator, and the objects with which it is examined. */
export interface EnduranceScope {
  readonly setup: RunSetup;
  readonly samples: readonly JsonObject[];
  /** Writes of the operator, which fail once with each change in one of the runs. */
  readonly writes: readonly SimulatedWrite[];
  /** Seeds of the simulation. */
  readonly seeds: readonly number[];
  /** Called before each run, which it ends by throwing. */
  readonly proceed: () => void;
}

/** Number of changes, and time after them, between two counts of what an operator holds. */
const countedChanges = 8;
const quietMs = 20 * 60_000;

/** Time until the objects that exist after the first changes remain. */
const settledMs = 60_000;

/** Number of seeds from which on the heap is measured: it takes longer than a few seeds. */
const leastForMemory = 100;

/** Number of changes before the heap is measured first, and between two measurements. */
const firstChanges = 10;
const measuredChanges = 20;
const measurements = 4;

/**
 * Bytes by which the heap may grow with each change. Code that Node.js compiles in the meantime, and caches
 * of limited size that fill up, take a fraction of them.
 */
const mostBytes = 16_384;

/** Returns the first thing that an operator keeps with each change of an object; `undefined` without one. */
export async function findLeak(scope: EnduranceScope): Promise<Leak | undefined> {
  // A replay of one seed is about that seed; leaks have the seed 0.
  if (process.env['KGEN_SEED'] && !scope.seeds.includes(0)) return undefined;
  const kinds = new Set<string>();
  for (const sample of scope.samples) {
    const kind = `${text(sample, 'apiVersion')} ${text(sample, 'kind')}`;
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    const leak =
      (await heldLeak(scope, sample, [])) ??
      (await heldLeak(scope, sample, scope.writes)) ??
      (scope.seeds.length < leastForMemory ? undefined : await memoryLeak(scope, sample));
    if (leak !== undefined) return leak;
  }
  return undefined;
}

async function heldLeak(
  scope: EnduranceScope,
  sample: JsonObject,
  failing: readonly SimulatedWrite[],
): Promise<Leak | undefined> {
  const short = await growth({ scope, sample, withLines: false }, failing);
  if (short === undefined) return undefined;
  const [missing] = short.run.missing;
  if (missing !== undefined) return leakOf(short.run, missing);
  if (short.most < countedChanges) return undefined;
  // Lines of the operator take long, and are determined only now.
  const { lines, run } = (await growth({ scope, sample, withLines: true }, failing)) ?? short;
  const text = `after ${countedChanges} more changes of ${objectText(sample)}, and ${quietMs / 60_000} minutes without any, the operator holds`;
  return leakOf(run, { check: 'leak', message: [text, ...lines].join('\n') });
}

/** Differences between what an operator holds before and after changes. */
interface Growth {
  readonly run: LongRun;
  /** The largest difference. */
  readonly most: number;
  readonly lines: readonly string[];
}

function growth(plan: Plan, failing: readonly SimulatedWrite[]): Promise<Growth | undefined> {
  return played(plan, async (run, toggle) => {
    const before = run.counts();
    await run.change(toggle, countedChanges, failing);
    await run.wait(quietMs);
    const grown = [...run.counts()]
      .map(([held, count]) => ({ held, known: before.get(held) ?? 0, more: count - (before.get(held) ?? 0) }))
      .filter(({ more }) => more > 0)
      .sort((a, b) => b.more - a.more);
    const lines = grown.map(({ held, known, more }) => `${more} more ${held} (${known} before)`);
    return { run, most: grown[0]?.more ?? 0, lines };
  });
}

/**
 * Plays a run in which the object exists, and its field has had both values. Returns `undefined` if users
 * cannot change the object, the operator has ended, or there are more objects than before: what belongs to
 * an object may be kept as long as the object.
 */
async function played<T>(
  { scope, sample, withLines }: Plan,
  examine: (run: LongRun, toggle: Toggle) => Promise<T>,
): Promise<T | undefined> {
  scope.proceed();
  const run = new LongRun(scope.setup, withLines);
  try {
    if (!(await run.perform(creationOf(sample)))) return undefined;
    const toggle = await acceptedToggle(run, togglesOf(sample, scope.samples));
    if (toggle === undefined) return undefined;
    await run.wait(settledMs);
    const { objects } = run;
    const result = await examine(run, toggle);
    return run.isOver || run.objects > objects ? undefined : result;
  } finally {
    await run.stop();
  }
}

/** One run of a check. */
interface Plan {
  readonly scope: EnduranceScope;
  readonly sample: JsonObject;
  /** Whether the lines of the operator are determined that hold something. */
  readonly withLines: boolean;
}

async function acceptedToggle(run: LongRun, toggles: readonly Toggle[]): Promise<Toggle | undefined> {
  for (const toggle of toggles) {
    if (await run.accepts(toggle)) return toggle;
  }
  return undefined;
}

async function memoryLeak(scope: EnduranceScope, sample: JsonObject): Promise<Leak | undefined> {
  const plan = { scope, sample, withLines: false };
  const short = await heapGrowth(plan, measuredChanges);
  if (short === undefined || short.bytes <= mostBytes) return undefined;
  // Caches that fill up grow for a while only.
  const long = await heapGrowth(plan, measuredChanges * 3);
  if (long === undefined || long.bytes <= mostBytes) return undefined;
  const sizes = long.sizes.map((size) => `${(size / 2 ** 20).toFixed(2)} MB`).join(', ');
  const line = await growingLine(plan);
  const message = [
    `the heap grows by at least ${Math.round(long.bytes)} bytes with each change of ${objectText(sample)}, at most ${mostBytes} are allowed`,
    `${measuredChanges * 3} changes between the sizes ${sizes}`,
    ...(line === undefined ? [] : [line]),
  ];
  return leakOf(long.run, { check: 'memory', message: message.join('\n') });
}

/** Returns a text with the line of the operator that allocates what stays; `undefined` if none is found. */
async function growingLine(plan: Plan): Promise<string | undefined> {
  const { keptLine } = await import('./kept-line.ts');
  const kept = await played(plan, async (run, toggle) => {
    await run.change(toggle, firstChanges);
    return keptLine(async (times) => {
      await run.change(toggle, times);
      await sizeAfter(run);
    });
  });
  if (kept === undefined) return undefined;
  return kept.bytes >= mostBytes / 4
    ? `most of it stays after its allocation at ${kept.site}`
    : `packages allocate it; of the operator itself, most stays after its allocation at ${kept.site}`;
}

/** Sizes of the heap in a run. */
interface HeapGrowth {
  readonly run: LongRun;
  readonly sizes: readonly number[];
  /** The smallest growth between two measurements for one change. */
  readonly bytes: number;
}

function heapGrowth(plan: Plan, changes: number): Promise<HeapGrowth | undefined> {
  return played(plan, async (run, toggle) => {
    await run.change(toggle, firstChanges);
    const sizes = [await sizeAfter(run)];
    for (let left = measurements - 1; left > 0; left -= 1) {
      await run.change(toggle, changes);
      sizes.push(await sizeAfter(run));
    }
    const growths = sizes.slice(1).map((size, index) => size - (sizes[index] ?? 0));
    const least = growths.reduce((smallest, each) => Math.min(smallest, each), Number.POSITIVE_INFINITY);
    return { run, sizes, bytes: least / changes };
  });
}

async function sizeAfter(run: LongRun): Promise<number> {
  await run.wait(quietMs);
  await run.forget();
  await run.wait(0);
  return usedHeap();
}

function objectText(sample: JsonObject): string {
  return idText(idOf(creationOf(sample).object));
}

function leakOf({ schedule, entries }: LongRun, finding: Finding): Leak {
  return { finding, schedule, entries, errors: [] };
}
