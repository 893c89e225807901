/** The error of a table test that fails, as test runners show it. */
import { readFileSync } from 'node:fs';
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, resource } from '@kgen/runtime';
import { type ExpectedWrite, simulate, stored, tableTests, wrote } from '@kgen/testing';
import { expect, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

/** Writes three config maps and a secret for each app. */
function operator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, { name: 'maps', ...options });
  const maps = resource(manager.rest, configMaps);
  const reconcile = async ({ metadata: { namespace } }: { metadata: { namespace?: string } }) => {
    for (const name of ['a', 'b', 'c'])
      await maps.in(namespace ?? '').create({ metadata: { name }, data: { name } });
    await resource(manager.rest, secrets)
      .in(namespace ?? '')
      .create({ metadata: { name: 'd' } });
  };
  return manager.add(
    new Controller({ name: 'maps', for: new InformerFactory(manager).of(myApps), reconcile }),
  );
}

const { given } = tableTests(operator, { crds: ['crds/myapp.yaml'] });
const app = stored(myApps, { metadata: { name: 'a' }, spec: { appName: 'web', version: '1.0' } });

async function failureOf(writes: readonly ExpectedWrite[]): Promise<Error> {
  const failure: unknown = await given(app)
    .expect({ writes })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  return failure instanceof Error ? failure : new Error('the test has passed');
}

const map = (name: string, value = name) =>
  wrote('create', configMaps, { metadata: { name }, data: { name: value } });
const place = / at \S*failures\.test\.ts:\d+$/;

test('the stack begins at the call of expect, with the message above it', async () => {
  const { stack = '', message } = await failureOf([]);
  expect(stack.startsWith(`AssertionError [ERR_ASSERTION]: ${message}\n`)).toBe(true);
  const [first] = stack.slice(stack.indexOf(message) + message.length + 1).split('\n');
  const [file = '', line] = /[^(]*failures\.test\.ts:(\d+)/.exec(first ?? '') ?? [];
  const source = readFileSync(new URL(import.meta.url), 'utf8').split('\n');
  expect(file, stack).not.toBe('');
  expect(source[Number(line) - 1]).toContain('.expect({ writes })');
});

test('the error about a refused object has the line of the test', async () => {
  const invalid = stored(myApps, { metadata: { name: 'A' }, spec: { appName: 'web', version: '1.0' } });
  const failure: unknown = await given(invalid)
    .run()
    .catch((error: unknown) => error);
  expect(Object(failure).stack).toMatch(/"A" is invalid.*failures\.test\.ts:\d+:\d+\)?$/ms);
});

test.each([
  {
    title: 'an unexpected write is one line',
    writes: [map('a'), map('c'), wrote('create', secrets)],
    lines: ['write 2 is not expected: create configmaps default/b'],
    expected: ['create configmaps default/a', 'create configmaps default/c', 'create secrets default/d'],
    actual: [
      'create configmaps default/a',
      'create configmaps default/b',
      'create configmaps default/c',
      'create secrets default/d',
    ],
  },
  {
    title: 'a missing write is one line',
    writes: [map('a'), map('b'), map('c'), map('x'), wrote('create', secrets)],
    lines: ['expected write 4 is missing: create configmaps x'],
    expected: [
      'create configmaps default/a',
      'create configmaps default/b',
      'create configmaps default/c',
      'create configmaps x',
      'create secrets default/d',
    ],
    actual: [
      'create configmaps default/a',
      'create configmaps default/b',
      'create configmaps default/c',
      'create secrets default/d',
    ],
  },
  {
    title: 'a write that differs has its body',
    writes: [map('a'), map('b', 'x'), map('c'), wrote('create', secrets)],
    lines: ['write 2: create configmaps default/b', '  data.name: expected "x", actual "b"'],
    expected: [
      'create configmaps default/a',
      { write: 'create configmaps', body: { metadata: { name: 'b' }, data: { name: 'x' } } },
      'create configmaps default/c',
      'create secrets default/d',
    ],
    actual: [
      'create configmaps default/a',
      { write: 'create configmaps', body: { metadata: { name: 'b' }, data: { name: 'b' } } },
      'create configmaps default/c',
      'create secrets default/d',
    ],
  },
])('$title', async ({ writes, lines, expected, actual }) => {
  const failure = await failureOf(writes);
  const without = (value: unknown) => (typeof value === 'string' ? value.replace(place, '') : value);
  expect(failure.message.split('\n').map(without)).toEqual(lines);
  expect(failure).toMatchObject({
    expected: { writes: expect.anything() },
    actual: { writes: expect.anything() },
  });
  const shown = (side: 'expected' | 'actual') =>
    Object(Object(failure)[side]).writes.map((each: unknown) => without(each));
  expect(shown('expected')).toEqual(expected);
  expect(shown('actual')).toEqual(actual);
});

test.each([
  ['an object', () => ({}), '{}'],
  ['a promise of nothing', async () => undefined, 'undefined'],
  ['a class', () => Map, '[Function: Map]'],
])('a function that returns %s is refused', async (_, returning, shown) => {
  // seam: the type of operators excludes these functions.
  const invalid = returning as never;
  const message = `must return a Manager, or a promise that resolves to one: it returned ${shown}`;
  await expect(tableTests(invalid).given().run()).rejects.toThrow(message);
  const options = { crds: ['crds/myapp.yaml'] };
  await expect(simulate(invalid, options)).rejects.toThrow(TypeError);
  await expect(simulate(invalid, options)).rejects.toThrow(message);
});
