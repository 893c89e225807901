import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../input/crd/crd-input.ts';
import { runIn } from './console.fixture.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-notes-'));
  const groups = ['one.example.com', 'two.example.com'];
  const value = {
    swagger: '2.0',
    definitions: Object.fromEntries(groups.map((group) => [`${group}.Thing`, definition(group)])),
    paths: Object.fromEntries(groups.map((group) => [`/apis/${group}/v1/things/{name}`, item(group)])),
  };
  writeFileSync(join(cwd, 'v2.json'), JSON.stringify(value));
});

afterEach(() => rmSync(cwd, { recursive: true }));

const kindOf = (group: string): JsonObject => ({ group, version: 'v1', kind: 'Thing' });

function definition(group: string): JsonObject {
  return { type: 'object', 'x-kubernetes-group-version-kind': [kindOf(group)] };
}

function item(group: string): JsonObject {
  const about = { 'x-kubernetes-group-version-kind': kindOf(group) };
  return {
    get: { 'x-kubernetes-action': 'get', ...about },
    patch: { 'x-kubernetes-action': 'patch', consumes: ['application/merge-patch+json'], ...about },
  };
}

test('prints notes on limits of the input for selected kinds, and none with --quiet', async () => {
  const { stderr } = await runIn(cwd, '--openapi v2.json');
  expect(stderr).toMatch(/^v2\.json: warning: .*"things\.one\.example\.com", "things\.two\.example\.com"; /);
  expect((await runIn(cwd, '--openapi v2.json --include one.*')).stderr).toMatch(
    /^v2\.json: warning: .*: "things\.one\.example\.com"; /,
  );
  expect(await runIn(cwd, '--openapi v2.json --quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
});
