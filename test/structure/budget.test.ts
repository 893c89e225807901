/** Processor time of test projects, and the budget that `.ci/run` compares it with. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { timesOf } from '../support/times.ts';

/** Content of `test/budget.json`, in seconds of processor time. */
interface Budget {
  readonly referenceSeconds: number;
  readonly projects: Readonly<Record<string, number>>;
}

const folder = mkdtempSync(join(tmpdir(), 'kgen-budget-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('distributes processor time by the durations of the files of each project', () => {
  const files = [
    { file: 'a', project: 'unit', seconds: 1 },
    { file: 'b', project: 'memory', seconds: 6 },
    { file: 'c', project: 'unit', seconds: 1 },
  ];
  expect(timesOf(files, 4, [0.9, 0.3, 0.5])).toEqual({
    cpuSeconds: 4,
    projects: { unit: 1, memory: 3 },
    referenceSeconds: 0.5,
  });
});

test.each([
  { name: 'the budget', factor: 1, status: 0 },
  { name: 'half as much again, on a noisy machine', factor: 1.5, status: 0 },
  { name: 'twice as much', factor: 2, status: 1 },
  { name: 'three times as much on a machine that is half as fast', factor: 3, slowness: 2, status: 0 },
  { name: 'four times as much on a machine that is half as fast', factor: 4, slowness: 2, status: 1 },
])('$name exits with code $status', ({ factor, slowness = 1, status }) => {
  // seam: a file of the repository
  const budget = JSON.parse(readFileSync(join(repository, 'test/budget.json'), 'utf8')) as Budget;
  const projects = Object.fromEntries(
    Object.entries(budget.projects).map(([name, seconds]) => [name, seconds * factor]),
  );
  const path = join(folder, 'times.json');
  writeFileSync(path, JSON.stringify({ projects, referenceSeconds: budget.referenceSeconds * slowness }));
  const script = join(repository, 'scripts/check-budget.mjs');
  expect(spawnSync(process.execPath, [script, path]).status).toBe(status);
});
