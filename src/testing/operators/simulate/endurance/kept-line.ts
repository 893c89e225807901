/**
 * The line of a program that allocates what stays on the heap. V8 samples allocations by function;
 * breakpoints in the function that keeps most, which never pause, order its samples by lines.
 */
import { Session } from 'node:inspector';
import { findSourceMap } from 'node:module';
import { framesAbove, isOfProgram, siteIn } from '../process/call-site.ts';

/** Changes a number of objects, and waits until nothing but what stays is on the heap. */
export type Change = (times: number) => Promise<void>;

/** The line that allocates most of what stays. */
export interface KeptLine {
  /** `/path/operator.ts:10` */
  readonly site: string;
  /** Bytes that its function allocates with each change and that stay. */
  readonly bytes: number;
}

/** Number of changes in which functions are found, and in which the line of one of them is. */
const sampledChanges = 20;
const linedChanges = 3;

/** Average number of bytes between two samples. */
const intervalBytes = 256;

/** Elements of an array that is always sampled, and its size, by which it is recognized. */
const markLength = 777;
const markBytes = markLength * 8;
const markTolerance = 100;
const mostMarks = 5_000;

/** Name of the function that the breakpoints call. */
const hookName = 'kgen:line';

/** Returns the line of the program that allocates most of what stays; `undefined` if none is found. */
export async function keptLine(change: Change): Promise<KeptLine | undefined> {
  const session = new Session();
  session.connect();
  try {
    const kept = largestIn(await sampled(session, () => change(sampledChanges)));
    if (kept === undefined) return undefined;
    const site = await siteOf(session, kept.place, () => change(linedChanges));
    return site === undefined ? undefined : { site, bytes: kept.bytes / sampledChanges };
  } catch {
    // The finding is complete without the line.
    return undefined;
  } finally {
    session.disconnect();
  }
}

/** A sample of a live object, and the functions of its stack, innermost first. */
interface LiveSample {
  readonly ordinal: number;
  readonly bytes: number;
  readonly stack: readonly Place[];
}

/** The begin of a function. Lines and columns begin with 0. */
interface Place {
  readonly functionName: string;
  readonly scriptId: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Returns the samples of the allocations within a call that are still live, in their order. */
async function sampled(session: Session, call: () => Promise<void>): Promise<readonly LiveSample[]> {
  session.post('HeapProfiler.startSampling', {
    samplingInterval: intervalBytes,
    includeObjectsCollectedByMajorGC: false,
    includeObjectsCollectedByMinorGC: false,
  });
  const samples: LiveSample[] = [];
  try {
    await call();
    session.post('HeapProfiler.getSamplingProfile', (_, { profile }) => {
      // seam: the types of Node.js lack members that all its versions have.
      const { head, samples: found } = profile as unknown as SampledProfile;
      const stacks = new Map<number, readonly Place[]>();
      collectStacks(head, [], stacks);
      for (const { ordinal, size: bytes, nodeId } of found)
        samples.push({ ordinal, bytes, stack: stacks.get(nodeId) ?? [] });
    });
  } finally {
    session.post('HeapProfiler.stopSampling');
  }
  return samples.sort((a, b) => a.ordinal - b.ordinal);
}

interface SampledProfile {
  readonly head: ProfileNode;
  readonly samples: readonly { readonly size: number; readonly nodeId: number; readonly ordinal: number }[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: Place;
  readonly children: readonly ProfileNode[];
}

function collectStacks(
  { id, callFrame, children }: ProfileNode,
  above: readonly Place[],
  stacks: Map<number, readonly Place[]>,
): void {
  const stack = [callFrame, ...above];
  stacks.set(id, stack);
  for (const child of children) collectStacks(child, stack, stacks);
}

/** A function, and the bytes of its live samples. */
interface KeptFunction {
  readonly place: Place;
  readonly bytes: number;
}

/** Returns the function of the program whose allocations, and those of packages that it calls, keep most. */
function largestIn(samples: readonly LiveSample[]): KeptFunction | undefined {
  const sums = new Map<string, KeptFunction>();
  for (const { stack, bytes } of samples) {
    const place = stack.find(isProgram);
    if (place === undefined) continue;
    const known = sums.get(keyOf(place))?.bytes ?? 0;
    sums.set(keyOf(place), { place, bytes: known + bytes });
  }
  return [...sums.values()].sort((a, b) => b.bytes - a.bytes)[0];
}

function keyOf({ scriptId, lineNumber, columnNumber }: Place): string {
  return `${scriptId}:${lineNumber}:${columnNumber}`;
}

/** Functions of a bundle belong to the file of their source map. */
function isProgram({ url, lineNumber, columnNumber }: Place): boolean {
  if (url === '' || url.startsWith('node:')) return false;
  const entry = findSourceMap(url)?.findEntry(lineNumber, columnNumber);
  const source = entry !== undefined && 'originalSource' in entry ? entry.originalSource : undefined;
  return isOfProgram(source ?? url);
}

/** Returns the line of a function from which most of the live samples come. */
async function siteOf(
  session: Session,
  place: Place,
  call: () => Promise<void>,
): Promise<string | undefined> {
  const marks = new Marks();
  const remove = breakAt(session, place, marks);
  try {
    const samples = await sampled(session, call);
    return marks.largest(samples, place);
  } finally {
    remove();
  }
}

/** Calls the marks at each place of a function where a debugger could stop, until the result is called. */
function breakAt(session: Session, { scriptId, lineNumber, columnNumber }: Place, marks: Marks): () => void {
  Object.defineProperty(globalThis, hookName, { value: marks.markPassed, configurable: true });
  session.post('Debugger.enable');
  // Nothing would continue this thread. Conditions of breakpoints are evaluated nevertheless.
  session.post('Debugger.setSkipAllPauses', { skip: true });
  const start = { scriptId, lineNumber, columnNumber };
  session.post('Debugger.getPossibleBreakpoints', { start, restrictToFunction: true }, (_, found) => {
    for (const [index, location] of found.locations.entries()) {
      const condition = `globalThis['${hookName}'](${index})`;
      session.post('Debugger.setBreakpoint', { location, condition });
    }
  });
  return () => {
    session.post('Debugger.disable');
    Reflect.deleteProperty(globalThis, hookName);
  };
}

/** Passed places of a function. For each one an array is allocated, which is found among the samples. */
class Marks {
  readonly #kept: unknown[] = new Array(mostMarks);
  /** Places in the order of their arrays. */
  readonly #passed = new Int32Array(mostMarks);
  readonly #sites = new Map<number, string | undefined>();
  #count = 0;

  /** Called at a place. Returns false: the debugger does not stop. */
  readonly markPassed = (index: number): boolean => {
    const isRepeated = this.#count > 0 && this.#passed[this.#count - 1] === index;
    if (isRepeated || this.#count >= mostMarks) return false;
    if (!this.#sites.has(index)) this.#sites.set(index, siteIn(framesAbove(this.markPassed)));
    this.#passed[this.#count] = index;
    this.#kept[this.#count] = new Array(markLength).fill(0);
    this.#count += 1;
    return false;
  };

  /** Returns the line of the place after which a function allocates most bytes. */
  largest(samples: readonly LiveSample[], place: Place): string | undefined {
    const sums = new Map<string, number>();
    let passed = -1;
    for (const { stack, bytes } of samples) {
      const isMark = stack.some(({ functionName }) => functionName === 'markPassed');
      if (isMark && Math.abs(bytes - markBytes) < markTolerance) passed += 1;
      const site = this.#sites.get(this.#passed[passed] ?? -1);
      if (isMark || passed < 0 || site === undefined || !includes(stack, place)) continue;
      sums.set(site, (sums.get(site) ?? 0) + bytes);
    }
    return [...sums].sort(([, a], [, b]) => b - a)[0]?.[0];
  }
}

function includes(stack: readonly Place[], place: Place): boolean {
  return stack.some((each) => keyOf(each) === keyOf(place));
}
