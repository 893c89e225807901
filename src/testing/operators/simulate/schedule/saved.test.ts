import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { loadSchedule, saveSchedule } from './saved.ts';
import type { Schedule } from './schedule.ts';

const target = { apiVersion: 'v1', kind: 'App', namespace: 'shop', name: 'web' };
const object = { apiVersion: 'v1', kind: 'App', metadata: { name: 'web' } };
const at = { verb: 'patch', resource: 'services', site: '' };

const schedule: Schedule = {
  seed: 7,
  replicas: 2,
  steps: [
    { do: 'create', object, waitMs: 0 },
    { do: 'edit', target, path: ['spec', 'size'], value: 2, waitMs: 20 },
    { do: 'detour', target, path: ['spec', 'size'], value: 3, back: null, ms: 20, waitMs: 0 },
    { do: 'tamper', pick: 3, how: 'annotate', waitMs: 0 },
    { do: 'hold', resource: 'apps', ms: 500, withLists: true, waitMs: 0 },
    { do: 'interrupt', resource: 'apps', how: 'cut', waitMs: 0 },
    { do: 'fault', verb: 'patch', resource: 'apps', nth: 1, fault: 'lost', site: '/app.ts:1', waitMs: 0 },
    { do: 'crash', replica: 1, request: 2, when: 'after', downMs: 100, at, waitMs: 0 },
    { do: 'restart', replica: 0, downMs: 100, waitMs: 0 },
    { do: 'isolate', replica: 1, ms: 5_000, waitMs: 0 },
    { do: 'recreate', object, waitMs: 0 },
    { do: 'delete', target, waitMs: 3_000 },
  ],
  waitMs: 500,
};

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-schedules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a saved schedule is loaded by its path and its URL', () => {
  const folder = join(temporaryFolder(), 'schedules');
  const file = saveSchedule(folder, 'convergence', schedule);
  expect(file).toBe(join(folder, 'convergence-7.json'));
  for (const source of [file, pathToFileURL(file), schedule])
    expect(loadSchedule(source)).toEqual(
      source === schedule ? schedule : { check: 'convergence', ...schedule },
    );
});

const [create] = schedule.steps;

test.each([
  ['null', /a\.json: must be an object, got null/],
  ['{', /a\.json: the schedule cannot be read: /],
  [{ ...schedule, seed: -1 }, /a\.json: seed must be an integer from 0 to \d+, got -1/],
  [{ ...schedule, replicas: 1.5 }, /replicas must be an integer from 1 to 10, got 1\.5/],
  [{ ...schedule, steps: {} }, /steps must be a list of steps, got \{\}/],
  [{ ...schedule, steps: [create, 1] }, /steps\[1\]\.do must be one of create, edit, .*, got nothing/],
  [{ ...schedule, steps: [{ do: '__proto__' }] }, /steps\[0\]\.do must be one of .*, got "__proto__"/],
  [{ ...schedule, steps: [{ ...create, waitMs: -1 }] }, /steps\[0\]\.waitMs must be an integer from 0 to/],
  [{ ...schedule, steps: [{ ...create, object: {} }] }, /object must be an object with apiVersion, kind/],
  [
    { ...schedule, steps: [{ do: 'delete', target: { ...target, name: 1 }, waitMs: 0 }] },
    /steps\[0\]\.target must be an object with apiVersion, kind, namespace and name/,
  ],
  [
    { ...schedule, steps: [{ do: 'edit', target, path: 'spec', value: 1, waitMs: 0 }] },
    /steps\[0\]\.path must be a list of names, got "spec"/,
  ],
  [
    { ...schedule, steps: [{ do: 'fault', verb: 'get', resource: 'apps', nth: 1, fault: 'no', waitMs: 0 }] },
    /steps\[0\]\.fault must be one of conflict, .*, got "no"/,
  ],
  [
    { ...schedule, steps: [{ do: 'restart', replica: 0, downMs: 1e15, waitMs: 0 }] },
    /steps\[0\]\.downMs must be an integer from 0 to/,
  ],
])('refuses the schedule %j', (content, message) => {
  const file = join(temporaryFolder(), 'a.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  expect(() => loadSchedule(file)).toThrow(message);
});

test('refuses a file that does not exist', () => {
  expect(() => loadSchedule('missing.json')).toThrow(/missing\.json: the schedule cannot be read: .*ENOENT/);
});
