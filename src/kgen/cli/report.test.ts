import { expect, test } from 'vitest';
import type { TypeChange } from '../typecheck/compare/change.ts';
import { emptyPlan } from '../write/plan.ts';
import { coloured, plain } from './colors.ts';
import { jsonReport, plainReport, type Report, tableReport } from './report.ts';

const added: TypeChange = { module: 'a/v1', name: 'Foo', member: 'x', change: 'added', breaking: false };
const removed: TypeChange = { module: 'a/v1', name: 'Foo', member: 'y', change: 'removed', breaking: true };

function report(typeChanges: readonly TypeChange[], mode: Report['mode'] = 'check'): Report {
  const result = {
    ok: false,
    groupVersions: [{ group: '', version: 'v1', kinds: ['Pod'] }],
    sources: 2,
    skipped: 0,
    out: './generated',
    changes: { ...emptyPlan, create: [{ path: 'x.ts', before: '', after: 'a\n' }] },
    problems: [],
    typeChanges,
  };
  return { result, mode, fromCrds: true, durationMs: 1500 };
}

test('prints changes of types before the summary, breaking ones first and marked', () => {
  expect(plainReport(report([added, removed]), plain).split('\n')).toEqual([
    '2 sources read: 1 kind in 1 group version, 0 other objects skipped',
    'breaking: a/v1 Foo.y: removed',
    'compatible: a/v1 Foo.x: added',
    './generated is not up to date: run kgen without --check',
    '',
  ]);
  expect(tableReport(report([added, removed]), coloured).split('\n')).toEqual([
    '\u001b[1mgroup    version  kinds\u001b[0m',
    'core     v1       Pod',
    '',
    '\u001b[31mbreaking\u001b[0m: a/v1 Foo.y: removed',
    'compatible: a/v1 Foo.x: added',
    '1 group, 1 kind, 1 file, 0 warnings, 1.50 s',
    './generated is not up to date: run kgen without --check',
    '',
  ]);
});

test('prints at most a limited number of changes, and all of them in JSON', () => {
  const many = report(Array.from({ length: 103 }, () => added));
  expect(plainReport(many, plain).split('\n').slice(-4)).toEqual([
    'compatible: a/v1 Foo.x: added',
    '3 more changes of types: --json has them all',
    './generated is not up to date: run kgen without --check',
    '',
  ]);
  expect(JSON.parse(jsonReport(many))).toMatchObject({ typeChanges: many.result.typeChanges });
});

test('counts other objects beside CRDs, and prints no count without sources', () => {
  const given = report([]);
  expect(plainReport({ ...given, fromCrds: false }, plain)).toMatch(
    /^2 sources read: 1 kind in 1 group version\n/,
  );
  const none = { ...given, result: { ...given.result, sources: 0 } };
  expect(plainReport(none, plain)).toBe('./generated is not up to date: run kgen without --check\n');
});

test('lists files with --dry-run', () => {
  expect(plainReport(report([]), plain)).not.toContain('x.ts');
  expect(plainReport(report([], 'dry-run'), plain)).toContain('\nnew     ./generated/x.ts (+1 -0 lines)\n');
});
