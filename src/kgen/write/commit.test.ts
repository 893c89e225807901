import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commit } from './commit.ts';
import { emptyPlan } from './plan.ts';

let out = '';

beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'kgen-commit-'));
});

afterEach(() => rmSync(out, { recursive: true }));

test('rolls back if moving files fails in the middle', () => {
  writeFileSync(join(out, 'changed.ts'), 'before');
  mkdirSync(join(out, 'folder.ts'));
  const plan = {
    ...emptyPlan,
    create: [{ path: 'new/new.ts', before: '', after: 'new' }],
    update: [
      { path: 'changed.ts', before: 'before', after: 'after' },
      { path: 'folder.ts', before: '', after: 'cannot replace a folder' },
    ],
  };
  expect(() => commit(out, plan)).toThrow(/EISDIR|ENOTEMPTY|EPERM/);
  expect(readdirSync(out).sort()).toEqual(['changed.ts', 'folder.ts']);
  expect(readFileSync(join(out, 'changed.ts'), 'utf8')).toBe('before');
});
