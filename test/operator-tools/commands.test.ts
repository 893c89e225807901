/** `kgen simulate` and `kgen replay`, in processes of their own, on programs in TypeScript. */
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { RESTClient, resource } from '@kgen/runtime';
import { startTestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import { createCommandProject, programs, root } from './command-project.ts';
import { correctOperator } from './programs/operators.ts';

const { folder: project, kgen, start, remove } = createCommandProject();
afterAll(remove);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-simulate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('kgen simulate', { timeout: 120_000 }, () => {
  test('prints the writes of an operator that passes, with their lines in TypeScript', () => {
    const { status, stdout, stderr } = kgen(
      'simulate',
      programs,
      '--export',
      'correctOperator',
      '--seeds',
      '3',
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^3 seeds passed: \d+ requests of the operator\n/);
    expect(stdout).toMatch(/patch configmaps at .*operators\.ts:22/);
  });

  test('prints the story of a failure, and writes reports', () => {
    const folder = temporaryFolder();
    const files = ['report.txt', 'report.json', 'report.html'].map((name) => join(folder, name));
    const reports = files.flatMap((file) => ['--report', file]);
    const { status, stdout, stderr } = kgen('simulate', programs, '--export', 'brokenOperator', ...reports);
    const lines = files.map((file) => `wrote ${file}\n`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: lines.join('') });
    expect(stdout).toMatch(/^seed \d+: the state at rest differs/);
    expect(stdout).toMatch(/create configmaps .* at .*operators\.ts:32/);
    const [report = '', json = '', html = ''] = files.map((file) => readFileSync(file, 'utf8'));
    expect(report).toBe(stdout);
    expect(JSON.parse(json)).toMatchObject({ formatVersion: 1, passed: false, check: 'convergence' });
    expect(html).toMatch(/^<!doctype html>.*"type":"kgen view".*operators\.ts:32/s);
  });

  test('saves the schedule of a failure, which is a test of the repaired operator', () => {
    const { stdout } = kgen('simulate', programs, '--export', 'brokenOperator');
    const [, seed, file = ''] =
      /KGEN_SEED=(\d+), or in a test with the schedule (schedules\/convergence-\d+\.json)\.\n$/.exec(
        stdout,
      ) ?? [];
    expect(file).toBe(`schedules/convergence-${seed}.json`);
    // Lines of the operator change when it is repaired.
    expect(readFileSync(join(project, file), 'utf8')).not.toContain('operators.ts');
    const broken = kgen('simulate', programs, '--export', 'brokenOperator', '--schedule', file);
    expect(broken).toMatchObject({ status: 1, stderr: '' });
    expect(broken.stdout).toContain('Repeat it with the same schedule.');
    const correct = kgen('simulate', programs, '--export', 'correctOperator', '--schedule', file);
    expect(correct).toMatchObject({ status: 0, stderr: '' });
    expect(correct.stdout).toMatch(/^1 seed passed/);
  });

  test('collects distinct failures with --continue, and ends with a table of them', () => {
    const { status, stdout, stderr } = kgen(
      ...['simulate', programs, '--export', 'brokenOperator', '--continue', '--from', '2', '--seeds', '30'],
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    const [table = ''] = /\n\d+ of 30 seeds failed, 1 distinct failure:\n.*$/s.exec(stdout) ?? [];
    expect(table).toMatch(
      /\n {2}check +line +seeds +first seed\n {2}convergence +\S+operators\.ts:\d+ +\d+ +\d+\n$/,
    );
    expect(stdout.split('the state at rest differs')).toHaveLength(2);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints after %s how the simulation continues',
    async (signal) => {
      const source = `import { brokenOperator, simulation as options } from './${programs}';
      let runs = 0;
      const start = () => { if (++runs === 100) console.error('100 runs'); };
      export const simulation = { ...options, start };
      export default brokenOperator;`;
      writeFileSync(join(project, 'interrupted.ts'), source);
      const child = start('simulate', 'interrupted.ts', '--continue', '--seeds', '100000', '--jobs', '1');
      child.stderr.once('data', () => child.kill(signal));
      const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
      expect(status).toBe(128 + constants.signals[signal]);
      const [, done, next, left] =
        /^interrupted after (\d+) of 100000 seeds, with.*^ {2}convergence .*^continue with --from (\d+) --seeds (\d+)\n$/ms.exec(
          stdout,
        ) ?? [];
      expect([Number(next), Number(left)]).toEqual([Number(done) + 1, 100_000 - Number(done)]);
      expect(Number(done)).toBeGreaterThan(0);
    },
  );

  test.each([
    ['a file that does not exist', ['missing.ts'], /missing\.ts: error: the file does not exist/],
    ['several functions', [programs], /exports brokenOperator, correctOperator: choose one with --export/],
    [
      'a function that does not exist',
      [programs, '--export', 'no'],
      /it exports no function named no, but .*: choose one/,
    ],
    ['no file', [], /missing required argument 'file'/],
    ['a report in another format', [programs, '--report', 'a.pdf'], /ends with \.txt, \.json or \.html/],
    ['CRDs that do not exist', [programs, '--export', 'correctOperator', '--crds', 'no.yaml'], /no\.yaml/],
  ])('refuses %s', (_, args, message) => {
    const { status, stderr } = kgen('simulate', ...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test.each([
    [
      `export { correctOperator } from './${programs}'; export const simulation = { without: ['tampr'] };`,
      /without must contain names of edit, detour, .*, lost leadership, .*, got "tampr"/,
    ],
    ['export const value = 1;', /exports no function: export a function/],
    ["\n\nthrow new Error('not today');", /cannot be loaded: Error: not today at .*operator\.ts:3\n/],
    ['export default () => ({});', /must return a Manager, or a promise .*: it returned \{\}/],
    ["import './missing.js';", /cannot be loaded: .*missing\.js/],
    ['export default (', /cannot be loaded: .*operator\.ts:1:17: Expected/s],
  ])('refuses the module: %s', (source, message) => {
    writeFileSync(join(project, 'operator.ts'), source);
    const { status, stderr } = kgen('simulate', 'operator.ts', '--crds', 'crds/myapp.yaml');
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  test('names the lines of an operator whose bundle contains packages', () => {
    const file = join(root, programs);
    const { status, stdout } = kgen('simulate', file, '--export', 'brokenOperator', '--seeds', '1');
    expect(status).toBe(0);
    expect(stdout).toMatch(/create configmaps at \S+operators\.ts:32,/);
    expect(stdout).toMatch(/patch myapps\/status at \S+operators\.ts:34,/);
    expect(stdout).not.toContain('clock.ts');
  });

  test('reads definitions beside the module, otherwise in the working directory', () => {
    const folder = join(project, 'nested');
    cpSync(join(root, 'crds/myapp.yaml'), join(folder, 'beside/myapp.yaml'), { recursive: true });
    const programOf = (crds: string): string =>
      `export { correctOperator as default } from '../${programs}';
      export const simulation = { crds: [${JSON.stringify(crds)}], without: ['tamper'] };`;
    const statusOf = (crds: string): number | null => {
      writeFileSync(join(folder, 'operator.ts'), programOf(crds));
      return kgen('simulate', 'nested/operator.ts', '--seeds', '1').status;
    };
    const found = ['beside/myapp.yaml', 'beside/*.yaml', 'beside', 'crds/myapp.yaml'].map(statusOf);
    expect(found).toEqual([0, 0, 0, 0]);
    expect(statusOf('missing.yaml')).toBe(2);
  });

  test('lists timers with their lines in TypeScript', () => {
    const source = `import { correctOperator } from './${programs}';
      export { simulation } from './${programs}';
      export default (config, options) => {
        setTimeout(() => undefined, 1);
        return correctOperator(config, options);
      };`;
    writeFileSync(join(project, 'operator.ts'), source);
    const { status, stdout, stderr } = kgen('simulate', 'operator.ts', '--seeds', '1');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/ {2}setTimeout\(\) at .*operator\.ts:4\n/);
  });

  test('needs @kgen/testing in the project of the module', () => {
    const file = join(temporaryFolder(), 'operator.ts');
    writeFileSync(file, '');
    const { status, stderr } = kgen('simulate', file);
    expect(stderr).toMatch(/kgen simulate needs @kgen\/testing: npm install --save-dev @kgen\/testing/);
    expect(status).toBe(2);
  });
});

describe('kgen replay', { timeout: 120_000 }, () => {
  const recording = join(project, 'recording.jsonl');

  beforeAll(async () => {
    const server = await startTestServer({ crds: [join(root, 'crds/myapp.yaml')] });
    const rest = new RESTClient(server.config);
    const apps = resource(rest, myApps).in('default');
    const manager = correctOperator(server.config, {
      recorder: { directory: project },
      handleSignals: false,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    });
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    await apps.create({ metadata: { name: 'web' }, spec: { appName: 'web', version: '1' } });
    await resource(rest, configMaps)
      .in('default')
      .waitFor('web', (map) => map !== undefined);
    await manager.record(recording);
    stop.abort();
    await running;
    await rest.close();
    await server.stop();
  });

  test('ends with 0 if everything is as recorded', () => {
    const { status, stdout, stderr } = kgen('replay', recording, programs, '--export', 'correctOperator');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/all as recorded/);
  });

  test('shows the first request that differs', () => {
    const { status, stdout } = kgen('replay', recording, programs, '--export', 'brokenOperator');
    expect(stdout).toMatch(/recording\.jsonl:\d+ .*request differs/);
    expect(status).toBe(1);
  });

  test('refuses a file that is not a recording', () => {
    const { status, stderr } = kgen('replay', programs, programs, '--export', 'correctOperator');
    expect(stderr).toMatch(/^error: .*operators\.ts/);
    expect(status).toBe(2);
  });
});
