/** A real API server accepts published definitions that are declared with generated types. */
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { expect, test } from 'vitest';
import { typesRoundTrip } from '../support/round-trip.ts';
import { refusalsOf } from '../support/sample-attempts.ts';

const corpus = process.env['KGEN_CORPUS'] ?? '';
const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

test.skipIf(!isAvailable || corpus === '')(
  'accepts every definition that is declared with its generated types',
  { timeout: 300_000 },
  async () => {
    const { declared } = await typesRoundTrip([join(corpus, 'crds'), join(corpus, 'reports/crds')]);
    expect(declared.length).toBeGreaterThan(80);
    const plane = await startControlPlane();
    const rest = new RESTClient(plane.config);
    try {
      for (const definition of declared) expect(await refusalsOf(rest, definition)).toEqual([]);
    } finally {
      await rest.close();
      await plane.stop();
    }
  },
);
