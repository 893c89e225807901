import { controlPlaneAvailability } from '@kgen/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { badInputTests } from './suite.ts';

const { available } = controlPlaneAvailability();

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)('a real API server', () => {
  let plane: SharedPlane | undefined;
  beforeAll(async () => {
    plane = await sharedPlane();
  });
  afterAll(() => plane?.stop());

  badInputTests('malformed requests to a real API server', () => plane?.config ?? { server: '' });
});
