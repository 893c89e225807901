import { controlPlaneAvailability } from '@kgen/testing';
import { describe, it } from 'vitest';
import { sharedPlane } from '../support/shared-plane.ts';
import { useServer } from './env.ts';
import { builtInSample, metadataTests } from './metadata.ts';
import { objectTests } from './objects.ts';
import { scaleTests } from './scale.ts';
import { connectionsAreClosed, everywhere, timeout } from './suite.ts';
import { tableTests } from './tables.ts';

const availability = controlPlaneAvailability();

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  describe('resources that are named at run time, on a real API server', { timeout }, () => {
    const env = useServer(sharedPlane);
    everywhere(env);
    objectTests(env);
    metadataTests(env, builtInSample);
    scaleTests(env);
    tableTests(env);
  });
} else {
  describe.skip(`resources that are named at run time, on a real API server: ${availability.reason}`, () => {
    it('requires one', () => undefined);
  });
}

connectionsAreClosed();
