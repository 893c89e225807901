/** Failures that are none of the object: its own deletion, and that of its namespace. */
import { ApiError } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { TerminalError } from '../errors.ts';
import { FakeWorld, settle } from './world.fixture.ts';

const own = { name: 'a', group: 'my.domain', kind: 'myapps' };
const operation = { verb: 'patch', resource: 'myapps', namespace: 'shop', name: 'a' };

function notFound(details: object = own, more: object = operation): ApiError {
  return new ApiError(
    { code: 404, reason: 'NotFound', message: 'not found', details },
    { ...operation, ...more },
  );
}

/** Creates the object and runs a function that throws, and returns the world. */
async function failing(
  thrown: unknown,
  before: (world: FakeWorld) => void = () => undefined,
): Promise<FakeWorld> {
  const world: FakeWorld = new FakeWorld({
    reconcile: () => {
      before(world);
      throw thrown;
    },
  });
  world.run();
  world.apps.put('a');
  await settle();
  return world;
}

describe('a 404 of the reconciled object', () => {
  it.each<readonly [string, unknown]>([
    ['itself', notFound()],
    ['as a cause', new Error('update failed', { cause: notFound() })],
  ])('%s is not a failure, and not retried if the cache does not have it either', async (_, thrown) => {
    const world = await failing(thrown, ({ apps }) => apps.delete('a'));
    await world.clock.advance(60_000);
    expect(world.log.filter((entry) => !entry.startsWith('debug'))).toEqual([]);
    expect(world.count('failed')).toEqual([]);
    const { reconciles, failures, state } = world.controller.explain({ namespace: 'shop', name: 'a' });
    expect([reconciles[0]?.outcome.type, failures, state.type]).toEqual(['gone', 0, 'idle']);
    await world.stop();
  });

  it('is repeated quietly while the cache has the object, and ends once it has not', async () => {
    const world = await failing(notFound());
    await world.clock.advance(100);
    const runs = world.count('finished').length;
    expect(runs).toBeGreaterThan(2);
    world.apps.delete('a');
    await world.clock.advance(600_000);
    expect(world.log.filter((entry) => entry.startsWith('error'))).toEqual([]);
    expect(world.count('finished').length).toBeLessThanOrEqual(runs + 1);
    expect(world.controller.explain({ namespace: 'shop', name: 'a' }).state.type).toBe('idle');
    await world.stop();
  });
});

it.each<readonly [string, unknown]>([
  ['another object', notFound({ ...own, name: 'b' })],
  ['another kind', notFound({ ...own, kind: 'configmaps', group: '' })],
  ['another group', notFound({ ...own, group: 'other.domain' })],
  ['the same name in another namespace', notFound(own, { namespace: 'other' })],
  ['a kind that is not installed', notFound({})],
  ['no server', Object.assign(new Error('404 NotFound'), { code: 404 })],
])('a 404 of %s is a failure', async (_, thrown) => {
  const world = await failing(thrown);
  expect(world.log[0]).toMatch(/^error reconcile failed: /);
  await world.stop();
});

it('a TerminalError with a 404 as its cause is terminal', async () => {
  const world = await failing(new TerminalError('stop', { cause: notFound() }));
  expect(world.log).toEqual(['error reconcile failed and is not retried: stop']);
  await world.stop();
});

describe('a namespace that is being deleted', () => {
  const ending = (namespace = 'shop'): ApiError =>
    new ApiError(
      {
        code: 403,
        reason: 'Forbidden',
        message: 'forbidden: it is being terminated',
        details: { causes: [{ reason: 'NamespaceTerminating', message: 'x', field: 'metadata.namespace' }] },
      },
      { verb: 'create', resource: 'configmaps', namespace, name: 'x' },
    );

  it('is one entry for all objects, whose reconciles are repeated every few seconds', async () => {
    const world = new FakeWorld({
      concurrency: 4,
      reconcile: () => {
        throw new Error('no configmap', { cause: ending() });
      },
    });
    world.run();
    for (const name of ['a', 'b', 'c']) world.apps.put(name);
    await world.clock.advance(4_000);
    expect(world.count('finished')).toHaveLength(3);
    await world.clock.advance(60_000);
    expect(world.count('finished').length).toBeLessThan(3 * 14);
    expect(world.log.filter((entry) => !entry.startsWith('debug'))).toEqual([
      'warn namespace shop is being deleted, nothing can be created in it: reconciles that try are repeated every few seconds',
    ]);
    await world.clock.advance(1_200_000);
    expect(world.log.filter((entry) => entry.startsWith('warn'))).toHaveLength(2);
    await world.stop();
  });

  it('is named as the request has it', async () => {
    const world = await failing(ending('elsewhere'));
    expect(world.log[0]).toContain('namespace elsewhere is being deleted');
    await world.stop();
  });
});
