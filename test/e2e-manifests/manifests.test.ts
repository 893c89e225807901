/** Definitions that `kgen manifests` writes, on a real API server. */
import { RESTClient } from '@kgen/runtime';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moduleOf, type ReadModule, readModules } from '../../src/kgen/manifests/declared.fixture.ts';
import { rows } from '../../src/kgen/manifests/schemas.fixture.ts';
import { refusalsOf } from '../support/sample-attempts.ts';

const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.skipIf(!isAvailable)('a real API server accepts the definition of', () => {
  let plane: ControlPlane;
  let rest: RESTClient;
  let read: ReadonlyMap<string, ReadModule>;
  beforeAll(async () => {
    plane = await startControlPlane();
    rest = new RESTClient(plane.config);
    read = await readModules(
      new Map(rows.map(({ name, members, others }) => [name, moduleOf(members, others)])),
    );
  }, 120_000);
  afterAll(async () => {
    await rest?.close();
    await plane?.stop();
  });

  test.each(rows)('$name', async ({ name }) => {
    const { definition, problems } = read.get(name) ?? { definition: undefined, problems: ['not read'] };
    expect(problems).toEqual([]);
    expect(await refusalsOf(rest, definition ?? {})).toEqual([]);
  });
});
