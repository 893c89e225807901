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

// seam: a file of the repository
const budget = JSON.parse(readFileSync(join(repository, 'test/budget.json'), 'utf8')) as Readonly<
  Record<string, number>
>;

test.each([
  { name: 'the budget', status: 0 },
  { name: 'a machine that is a third as fast', all: 3, status: 0 },
  { name: 'a project that takes half as much again', one: 1.5, status: 0 },
  { name: 'a project that takes twice as much', one: 2, status: 1 },
  { name: 'a project that takes twice as much on a fast machine', all: 0.3, one: 2, status: 1 },
  { name: 'a project that was not measured', without: 'unit', status: 1 },
  { name: 'a project without a budget', more: { new: 1 }, status: 1 },
])('$name exits with code $status', ({ all = 1, one = 1, without, more = {}, status }) => {
  const projects = Object.entries(budget)
    .filter(([project]) => project !== without)
    .map(([project, seconds]) => [project, seconds * all * (project === 'server' ? one : 1)] as const);
  const path = join(folder, 'times.json');
  writeFileSync(path, JSON.stringify({ projects: { ...Object.fromEntries(projects), ...more } }));
  const script = join(repository, 'scripts/check-budget.mjs');
  expect(spawnSync(process.execPath, [script, path]).status).toBe(status);
});
