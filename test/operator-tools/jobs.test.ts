/** `kgen simulate --jobs`: seeds in several processes. */
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createCommandProject, programs } from './command-project.ts';

const { folder, kgen, start, remove } = createCommandProject();
afterAll(remove);

/** Writes a module whose operator fails, and runs a function before each of its runs. */
function writeOperator(file: string, before: string): void {
  const source = `import { brokenOperator, simulation as options } from './${programs}';
    import { myApps } from './generated/crds/my.domain/v1/index.ts';
    let runs = 0;
    const start = () => { runs += 1; ${before} };
    const hasNoAnnotation = (cluster) => {
      for (const { metadata } of cluster.list(myApps))
        if (metadata.annotations !== undefined) throw new Error('an annotation of ' + metadata.name);
    };
    export const simulation = { ...options, objectsPerSeed: 3, invariants: [hasNoAnnotation], start };
    export default brokenOperator;`;
  writeFileSync(join(folder, file), source);
}

/** Runs a simulation, and returns everything that it prints and writes. */
function resultOf(jobs: number, ...args: readonly string[]) {
  const schedules = join(folder, 'schedules');
  rmSync(schedules, { recursive: true, force: true });
  mkdirSync(schedules);
  const command = ['simulate', 'operator.ts', '--jobs', String(jobs), '--report', 'report.json', ...args];
  const ran = kgen(...command);
  const saved = readdirSync(schedules).map((name) => [name, readFileSync(join(schedules, name), 'utf8')]);
  return { ...ran, saved, report: readFileSync(join(folder, 'report.json'), 'utf8') };
}

describe('kgen simulate --jobs', { timeout: 300_000 }, () => {
  test.each([
    ['the first failure', [], /^seed \d+: an invariant/, 1],
    ['distinct failures', ['--continue'], /^3 of 16 seeds failed, 2 distinct failures:$/m, 2],
    ['no failure', ['--without-failure'], /^12 seeds passed: \d+ requests/, 0],
  ])('has one result, whatever the number of processes: %s', (_, args, output, files) => {
    writeOperator('operator.ts', '');
    const passes = args.includes('--without-failure');
    if (passes)
      writeFileSync(
        join(folder, 'operator.ts'),
        `export { correctOperator as default, simulation } from './${programs}';`,
      );
    const options = passes ? ['--seeds', '12'] : ['--seeds', '16', ...args];
    const one = resultOf(1, ...options);
    expect(one).toMatchObject({ status: passes ? 0 : 1, stderr: 'wrote report.json\n' });
    expect(one.stdout).toMatch(output);
    expect(one.saved).toHaveLength(files);
    for (const jobs of [2, 3]) expect(resultOf(jobs, ...options)).toEqual(one);
  });

  test.each([
    ['process.exit(3)', 'exit status 3'],
    ["process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
  ])('ends with an error if a process ends: %s', (end, how) => {
    writeOperator('ending.ts', `if (runs === 60) { console.error('the last line'); ${end}; }`);
    const { status, stdout, stderr } = kgen('simulate', 'ending.ts', '--continue', '--jobs', '2');
    expect(status).toBe(1);
    const [, error = ''] = /^error: (.*)$/s.exec(stderr.slice(stderr.indexOf('error: '))) ?? [];
    expect(error).toMatch(/^ending\.ts: (the process of the seeds \d+|a process that loads the module)/);
    expect(error).toContain(`has ended (${how}); its last output:\nthe last line`);
    expect(stdout).toMatch(/^(interrupted before the first seed|continue with .*)$/m);
  });

  test('prints the error of a module that ends its process', () => {
    writeFileSync(join(folder, 'exiting.ts'), "console.log('loading'); process.exit(0);");
    const { status, stderr } = kgen('simulate', 'exiting.ts', '--jobs', '2');
    expect(status).toBe(1);
    expect(stderr).toContain('exiting.ts: a process that loads the module has ended (exit status 0)');
    expect(stderr).toContain('its last output:\nloading');
  });

  test.each(['SIGINT', 'SIGKILL'] as const)('ends all processes after %s', async (signal) => {
    writeOperator('running.ts', "if (runs === 90) console.error('pid ' + process.pid);");
    const child = start('simulate', 'running.ts', '--continue', '--seeds', '100000', '--jobs', '2');
    const output = text(child.stdout);
    const pids: number[] = [];
    for await (const line of createInterface(child.stderr)) {
      const [, pid] = /^pid (\d+)$/.exec(line) ?? [];
      if (pid !== undefined) pids.push(Number(pid));
      if (pids.length === 2) break;
    }
    expect(pids.every(isRunning)).toBe(true);
    child.kill(signal);
    const [status] = await once(child, 'exit');
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), { timeout: 60_000 });
    if (signal === 'SIGKILL') return;
    expect(status).toBe(128 + constants.signals[signal]);
    expect(await output).toMatch(/^interrupted after \d+ of 100000 seeds, with.*^continue with --from \d+/ms);
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
