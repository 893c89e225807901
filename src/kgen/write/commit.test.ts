import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commit, Interrupted } from './commit.ts';
import { emptyPlan, type WritePlan } from './plan.ts';

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

test('restores the folder wherever it is interrupted', () => {
  const plan: WritePlan = {
    ...emptyPlan,
    create: ['new.ts', 'a/b/new.ts', 'old/new.ts'].map((path) => ({ path, before: '', after: 'x' })),
    update: [{ path: 'old/changed.ts', before: 'before', after: 'after' }],
    remove: [{ path: 'old/removed.ts', before: 'removed', after: '' }],
  };
  for (const isNew of [true, false]) {
    let isDone = false;
    for (let steps = 0; !isDone; steps += 1) {
      const target = join(out, `${isNew}-${steps}`, 'out');
      if (!isNew) {
        mkdirSync(join(target, 'old'), { recursive: true });
        writeFileSync(join(target, 'old/changed.ts'), 'before');
        writeFileSync(join(target, 'old/removed.ts'), 'removed');
      }
      let left = steps;
      const signal = {
        get aborted(): boolean {
          left -= 1;
          return left < 0;
        },
      };
      const used = isNew ? { ...plan, update: [], remove: [] } : plan;
      try {
        commit(target, used, signal);
        isDone = true;
      } catch (cause) {
        expect(cause).toBeInstanceOf(Interrupted);
        expect(existsSync(target)).toBe(!isNew);
        if (isNew) continue;
        expect(readdirSync(target, { recursive: true }).sort()).toEqual([
          'old',
          'old/changed.ts',
          'old/removed.ts',
        ]);
        expect(readFileSync(join(target, 'old/changed.ts'), 'utf8')).toBe('before');
        expect(readFileSync(join(target, 'old/removed.ts'), 'utf8')).toBe('removed');
      }
    }
  }
});
