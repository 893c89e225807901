/** Processor time of test projects, and the budget that `.ci/run` compares it with. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repository } from '../support/emitted.ts';
import { timesOf } from '../support/times.ts';

const folder = mkdtempSync(join(tmpdir(), 'kgen-budget-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('distributes processor time by the durations of the files of each project', () => {
  const files = [
    { file: 'a', project: 'unit', seconds: 1 },
    { file: 'b', project: 'memory', seconds: 6 },
    { file: 'c', project: 'unit', seconds: 1 },
  ];
  expect(timesOf(files, 4)).toEqual({ cpuSeconds: 4, projects: { unit: 1, memory: 3 } });
});

test.each([
  { name: 'the budget', factor: 1, status: 0 },
  { name: 'half as much again, on a noisy machine', factor: 1.5, status: 0 },
  { name: 'twice as much', factor: 2, status: 1 },
])('$name exits with code $status', ({ factor, status }) => {
  // seam: a file of the repository
  const budget = JSON.parse(readFileSync(join(repository, 'test/budget.json'), 'utf8')) as Record<
    string,
    number
  >;
  const projects = Object.fromEntries(
    Object.entries(budget).map(([name, seconds]) => [name, seconds * factor]),
  );
  const path = join(folder, 'times.json');
  writeFileSync(path, JSON.stringify({ projects }));
  const script = join(repository, 'scripts/check-budget.mjs');
  expect(spawnSync(process.execPath, [script, path]).status).toBe(status);
});
