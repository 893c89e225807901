// Runs the tests on the mutants, cheapest first, until each mutant is killed or no test is left.

/**
 * Milliseconds. A slower test, or a test of a file whose mutants have taken ten times as long, runs only on
 * the mutants that the others have not killed.
 */
const slowMs = 1500;
/** Milliseconds of a test, or tenth of those of a file, above which that second run is skipped. */
const tooSlow = 15_000;
/**
 * Number of test files that run on a mutant in a separate process: values computed while modules load, or
 * kept in a cache, are otherwise not computed again.
 */
const mostAlone = 12;
/** Milliseconds of processor time of the tests of such a file. */
const quickMs = 1500;
/** Number of them that run one by one if they do not pass in one process. */
const mostSingle = 4;

export class Hunt {
  #session;
  #mutants;
  #print;
  /** Test file that killed each mutant, by id. */
  #caught = new Map();
  #runBy = new Map();
  /** Milliseconds of processor time of the tests of each file on the original code. */
  #costs = new Map();
  /** Whether test files pass on the original code, by their joined names. */
  #passing = new Map();

  constructor(session, mutants, print) {
    this.#session = session;
    this.#mutants = mutants;
    this.#print = print;
  }

  get caught() {
    return this.#caught;
  }

  /** Returns true for a mutant that some test has executed. */
  isReached = (id) => this.#runBy.has(id);

  /** @param tests the files in order, each with the files that it loads */
  async run(tests) {
    const slow = [];
    for (const [place, [file, loaded]] of tests.entries()) {
      const left = await this.#file(file, loaded, slowMs);
      if (left) slow.push([file, loaded]);
      this.#print(
        `${place + 1}/${tests.length} ${file}: ${this.#caught.size} of ${this.#mutants.length} caught`,
      );
    }
    for (const [file, loaded] of slow) {
      await this.#file(file, loaded, tooSlow);
      this.#print(`slow tests of ${file}: ${this.#caught.size} caught`);
    }
    for (const [id, files] of this.#runBy) await this.#alone(id, this.#quick(files));
  }

  /** Runs a file until all of its mutants are tested. @returns true if slow tests are left */
  async #file(file, loaded, slow) {
    const tried = new Set();
    const single = [];
    for (;;) {
      const pending = this.#mutants
        .filter((one) => loaded.has(one.file) && !this.#caught.has(one.id) && !tried.has(one.id))
        .map(({ id }) => id);
      if (pending.length === 0) return false;
      const { entries, isStuck } = await this.#session.run([file], { pending, slow, single });
      if (!this.#costs.has(file)) {
        this.#costs.set(
          file,
          entries.reduce((sum, { work }) => sum + (work ?? 0), 0),
        );
      }
      const unsure = this.#read(file, entries, isStuck);
      if (unsure === undefined) return entries.some(({ left }) => left > 0);
      tried.add(unsure.id);
      // A test that passes only once in a process runs with each mutant in a separate process.
      if (unsure.test !== undefined) single.push(unsure.test);
      await this.#alone(unsure.id, [file]);
    }
  }

  /** @returns a mutant after which the tests of this process cannot be trusted */
  #read(file, entries, isStuck) {
    for (const { type, id, reached, loaded } of entries) {
      if (type === 'killed') this.#caught.set(id, file);
      for (const one of [...(reached ?? []), ...(loaded ?? [])]) this.#addRunner(one, file);
    }
    const last = entries.at(-1);
    // A mutant that hangs or terminates the process is killed.
    if (last?.type === 'start') this.#caught.set(last.id, file);
    if (last?.type === 'start') return { id: last.id };
    if (isStuck) this.#print(`${file} does not end on the original code`);
    return entries.find(({ type }) => type === 'unsure');
  }

  #addRunner(id, file) {
    const files = this.#runBy.get(id) ?? [];
    if (!files.includes(file)) this.#runBy.set(id, [...files, file]);
  }

  /** Returns the files that run on one mutant as a whole: the quick ones, or else the quickest. */
  #quick(files) {
    const cost = (file) => this.#costs.get(file) ?? 0;
    const quick = files.filter((file) => cost(file) < quickMs).slice(0, mostAlone);
    return quick.length > 0 ? quick : [...files].sort((a, b) => cost(a) - cost(b)).slice(0, 1);
  }

  /** Tests a mutant from the start of the process, so that it affects values computed while modules load. */
  async #alone(id, files) {
    if (this.#caught.has(id) || files.length === 0) return;
    if (!(await this.#passes(files))) {
      if (files.length > 1) for (const file of files.slice(0, mostSingle)) await this.#alone(id, [file]);
      return;
    }
    const { isOk } = await this.#session.run(files, { active: id });
    if (!isOk) this.#caught.set(id, files.join(' '));
    this.#print(`from the start: ${id} in ${files.join(' ')}: ${isOk ? 'survives' : 'caught'}`);
  }

  /** Returns whether these files pass on the original code, in one process. */
  async #passes(files) {
    const key = files.join(' ');
    const known = this.#passing.get(key);
    if (known !== undefined) return known;
    const { isOk, problem } = await this.#session.run(files, { active: -1 });
    if (!isOk) this.#print(`${key}: not used in one process: ${problem}`);
    this.#passing.set(key, isOk);
    return isOk;
  }
}
