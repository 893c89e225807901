// The vitest runner of `npm run mutate`, in the process of a test file. After a test has passed on the
// original code it runs again with every mutant that it reached. KGEN_MUTATE_PLAN is the path of the plan,
// KGEN_MUTATE_LOG that of the results.
import { appendFileSync, readFileSync } from 'node:fs';
import { getFn } from '@vitest/runner';
import { VitestTestRunner } from 'vitest/runners';

const plan = JSON.parse(readFileSync(process.env.KGEN_MUTATE_PLAN, 'utf8'));
const log = (entry) => appendFileSync(process.env.KGEN_MUTATE_LOG, `${JSON.stringify(entry)}\n`);
/** Original timers, in case a test replaces them. */
const { setTimeout: later, clearTimeout: cancel } = globalThis;
const { now } = Date;
/** Milliseconds of work of this process, which do not depend on other processes of the machine. */
const worked = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const counts = new Uint32Array(plan.size);
const outside = new Uint32Array(plan.size);
let active = plan.active ?? -1;
let isInTest = false;
let calls = 0;
let limit = Number.POSITIVE_INFINITY;

globalThis.__kgenMutant = (id) => {
  if (isInTest) counts[id]++;
  else outside[id]++;
  // An endless loop of a mutant is stopped here if the loop contains any switch.
  if (++calls > limit) throw new Error('the mutant runs for ever');
  return id === active;
};

const reachedIds = (table) => [...table.keys()].filter((id) => table[id] > 0);

/** Rejects if `run` takes many times longer than on the original code. */
async function within(milliseconds, run) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = later(() => reject(new Error('the mutant takes too long')), milliseconds);
  });
  try {
    await Promise.race([run(), late]);
  } finally {
    cancel(timer);
  }
}

export default class MutantRunner extends VitestTestRunner {
  #killed = new Set();
  #queue = [];
  #suspect;
  #isStopped = false;
  #isFirst = true;
  #wasFail = false;
  #startedAt = 0;
  #workedBefore = 0;
  #spent = 0;
  #base = { milliseconds: 0, calls: 0 };

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    if (plan.active !== undefined && this.#wasFail) test.mode = 'skip';
    if (plan.active === undefined && !this.#isStopped) {
      // vitest compares with this value after every run, so the number can grow with the mutants that the
      // first run has reached.
      test.repeats = { valueOf: () => (this.#next() === undefined ? -1 : Number.POSITIVE_INFINITY) };
      this.#isFirst = true;
      this.#queue = [];
    }
  }

  /** Returns the mutant of the next run; 'original' for a run without one. */
  #next() {
    if (this.#isStopped && !this.#isFirst) return undefined;
    if (this.#isFirst || this.#suspect !== undefined) return 'original';
    return this.#queue[0];
  }

  async onBeforeTryTask(test) {
    await super.onBeforeTryTask(test);
    if (plan.active !== undefined) return;
    const next = this.#next();
    active = typeof next === 'number' ? next : -1;
    if (active >= 0) log({ type: 'start', id: active, test: test.name });
    counts.fill(0);
    calls = 0;
    limit = active < 0 ? Number.POSITIVE_INFINITY : this.#base.calls * 50 + 100_000;
    this.#startedAt = now();
    this.#workedBefore = worked();
    isInTest = true;
  }

  async runTask(test) {
    const run = getFn(test);
    if (active < 0 || plan.active !== undefined) return run();
    return within(Math.max(5000, this.#base.milliseconds * 20), run);
  }

  onAfterRetryTask(test) {
    isInTest = false;
    limit = Number.POSITIVE_INFINITY;
    if (plan.active !== undefined || test.result?.state === 'skip') {
      this.#isFirst = false;
      return;
    }
    const isFail = test.result.state === 'fail';
    if (this.#isFirst) this.#afterOriginal(test, isFail);
    else this.#afterMutant(test, isFail !== this.#wasFail);
    // vitest reports the state of the first run.
    test.result.state = this.#wasFail ? 'fail' : 'pass';
    if (!this.#wasFail) test.result.errors = undefined;
  }

  #afterOriginal(test, isFail) {
    this.#isFirst = false;
    this.#wasFail = isFail;
    if (isFail !== (test.fails === true)) return;
    const milliseconds = now() - this.#startedAt;
    this.#base = { milliseconds, calls };
    const reached = reachedIds(counts);
    if (plan.single.includes(test.name)) {
      for (const id of reached) outside[id]++;
      return;
    }
    const queue = reached.filter((id) => plan.pending.includes(id) && !this.#killed.has(id));
    const isSlow = milliseconds * queue.length > plan.slow || this.#spent > plan.slow * 10;
    const work = worked() - this.#workedBefore;
    log({ type: 'reach', reached, work, left: isSlow ? queue.length : 0 });
    if (!isSlow) this.#queue = queue;
  }

  #afterMutant(test, differs) {
    this.#spent += now() - this.#startedAt;
    if (this.#suspect !== undefined) {
      // A kill counts if the original passes again. Otherwise the mutant, or one before it, has changed
      // global state.
      log({ type: differs ? 'unsure' : 'killed', id: this.#suspect, test: test.name });
      if (differs) this.#isStopped = true;
      else this.#killed.add(this.#suspect);
      this.#suspect = undefined;
      return;
    }
    const id = this.#queue.shift();
    log({ type: differs ? 'suspect' : 'passed', id });
    if (differs) this.#suspect = id;
  }

  async onAfterRunTask(test) {
    if (plan.active !== undefined) {
      log({ type: 'ran' });
      if (test.result?.state === 'fail') this.#wasFail = true;
    }
    test.repeats = undefined;
    active = plan.active ?? -1;
    await super.onAfterRunTask(test);
  }

  async onAfterRunFiles(...args) {
    log({ type: 'file', loaded: reachedIds(outside), isStopped: this.#isStopped });
    await super.onAfterRunFiles(...args);
  }
}
