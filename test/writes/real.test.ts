/** Writes that are skipped are those without an effect: histories on a real API server. */
import { RESTClient } from '@kgen/runtime';
import { controlPlaneAvailability } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClosableTransport, openTransport } from '../../src/runtime/rest/transport/lazy-transport.ts';
import { served } from '../support/sample-definitions.ts';
import { seedsOf } from '../support/seeds.ts';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { cases } from './cases.ts';
import { historyOf } from './generator.ts';
import { definitions } from './kinds.ts';
import type { Cluster } from './other-processes.ts';
import { problemOf } from './report.ts';

const { available } = controlPlaneAvailability();
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)('a real API server', () => {
  let plane: SharedPlane | undefined;
  let transport: ClosableTransport | undefined;
  let cluster: Cluster;
  beforeAll(async () => {
    plane = await sharedPlane();
    const opened = openTransport(plane.config);
    transport = opened;
    cluster = { config: plane.config, transport: (request) => opened.send(request) };
    const rest = new RESTClient(plane.config);
    for (const body of definitions) {
      await rest.post(path, { body });
      await served(rest, body.metadata.name);
    }
    await rest.close();
  });
  afterAll(async () => {
    await transport?.close();
    await plane?.stop();
  });

  test.each(cases.map((row, index) => [row.title, row.history, index] as const))(
    'receives a write if %s',
    async (_title, history, index) => {
      expect(await problemOf({ cluster, name: `case-${index}` }, history)).toBeUndefined();
    },
  );

  test('has equal objects after random histories with and without skipped writes', {
    timeout: 3_600_000,
  }, async () => {
    for (const seed of seedsOf({ all: 20, few: 20 })) {
      // Webhooks would need a server that the API server reaches.
      const { webhook: _, ...history } = historyOf(seed);
      expect(
        await problemOf({ cluster, name: `seed-${seed}` }, history),
        `KGEN_SEED=${seed}`,
      ).toBeUndefined();
    }
  });
});
