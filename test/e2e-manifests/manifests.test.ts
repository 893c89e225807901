/** Definitions that `kgen manifests` writes, on a real API server. */
import { RESTClient } from '@kgen/runtime';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  moduleOf,
  projectWith,
  type ReadModule,
  readModules,
} from '../../src/kgen/manifests/declared.fixture.ts';
import { manifests } from '../../src/kgen/manifests/manifests.ts';
import { rows } from '../../src/kgen/manifests/schemas.fixture.ts';
import { runsTypeScript, schemaModules } from '../../src/kgen/manifests/standard-schema.fixture.ts';
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

  test.skipIf(!runsTypeScript)('schemas of Zod and ArkType', async () => {
    const cwd = projectWith({ 'package.json': '{"type":"module"}', ...schemaModules });
    const { apis, problems } = await manifests({ cwd, cacheFolder: `${cwd}/cache` });
    expect(problems).toEqual([]);
    for (const { value } of apis) expect(await refusalsOf(rest, value)).toEqual([]);
  });
});
