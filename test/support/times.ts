/** Prints the durations of the files of a run and the tests that it omitted; writes its processor time. */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** A test file with its durations in seconds: of loading, hooks and tests. */
interface FileTime {
  readonly file: string;
  readonly project: string;
  readonly seconds: number;
}

/** Content of the file in `KGEN_TEST_TIMES`. */
export interface Times {
  /** Processor time of the run with its child processes, in seconds. */
  readonly cpuSeconds: number;
  /** Processor time of each project, in seconds. */
  readonly projects: Readonly<Record<string, number>>;
}

const mostFiles = 10;

/** Tests that another command runs. */
const others: readonly {
  readonly projects: readonly string[];
  readonly tests: string;
  readonly command: string;
}[] = [
  { projects: ['server', 'shared'], tests: 'tests of real servers', command: 'npm run test:server' },
  {
    projects: ['ci'],
    tests: 'tests of documents, published packages and long inputs',
    command: 'node scripts/test.mjs ci',
  },
  {
    projects: ['corpus'],
    tests: 'tests over public CRDs and documents',
    command: 'npm run test:all, with KGEN_CORPUS set',
  },
];

/**
 * Prints the ten slowest files and the total at the end of a run; writes `Times` to the file in
 * `KGEN_TEST_TIMES`.
 */
export class TimesReporter implements Reporter {
  #vitest: Vitest | undefined;
  #files: readonly FileTime[] = [];

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    // The system counts child processes once they have exited.
    process.once('exit', () => this.#write());
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    this.#files = modules.map(timeOf).sort((a, b) => b.seconds - a.seconds);
    const total = this.#files.reduce((sum, { seconds }) => sum + seconds, 0);
    const slowest = this.#files
      .slice(0, mostFiles)
      .map(({ seconds, project, file }) => `${seconds.toFixed(1).padStart(8)} s  ${project}  ${file}`);
    const title = ` Slowest files, of ${this.#files.length} that took ${total.toFixed(1)} s in all:`;
    this.#vitest?.logger.log([title, ...slowest, ...this.#leftOut(modules), ''].join('\n'));
  }

  /**
   * Lists the omitted tests for runs of whole projects only, which `scripts/test.mjs` marks: a user who names
   * files selects them.
   */
  #leftOut(modules: readonly TestModule[]): readonly string[] {
    if (process.env['KGEN_TEST_WHOLE'] === undefined) return [];
    const ran = new Set(modules.map(({ project }) => project.name));
    const notRun = others
      .filter(({ projects }) => !projects.some((name) => ran.has(name)))
      .map(({ tests, command }) => ` Not run: ${tests}. Run them with: ${command}`);
    const skipped = modules.reduce((sum, module) => sum + [...module.children.allTests('skipped')].length, 0);
    const seeds =
      process.env['KGEN_SEEDS'] === 'all'
        ? []
        : [' Random seeds: a sample. Run all of them with: npm run test:all'];
    const because = process.env['KGEN_CORPUS'] === undefined ? '; most need KGEN_CORPUS' : '';
    return [...notRun, ...seeds, ...(skipped === 0 ? [] : [` Skipped: ${skipped} tests${because}`])];
  }

  #write(): void {
    const path = process.env['KGEN_TEST_TIMES'];
    if (path === undefined) return;
    writeFileSync(path, JSON.stringify(timesOf(this.#files, cpuSeconds())));
  }
}

function timeOf(module: TestModule): FileTime {
  const { prepareDuration, environmentSetupDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  const all = prepareDuration + environmentSetupDuration + collectDuration + setupDuration + duration;
  const file = relative(process.cwd(), module.moduleId);
  return { file, project: module.project.name, seconds: all / 1000 };
}

/**
 * Distributes the processor time by the durations of the files of each project: load from other processes
 * slows all of them.
 */
export function timesOf(files: readonly FileTime[], cpu: number): Times {
  const total = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const projects: Record<string, number> = {};
  for (const { project, seconds } of files) {
    projects[project] = (projects[project] ?? 0) + (cpu * seconds) / total;
  }
  return { cpuSeconds: cpu, projects };
}

/**
 * Returns the processor time of this process, its threads, and the child processes that have exited; of this
 * process alone if the system does not report the others.
 */
function cpuSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // utime, stime, cutime and cstime in ticks of 10 ms, counted after the name in parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}
