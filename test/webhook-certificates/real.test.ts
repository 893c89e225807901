/** Certificates in a Secret of a real API server. */
import { controlPlaneAvailability } from '@kgen/testing';
import { beforeAll, describe } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { certificatesSuite } from './suite.ts';

const { available } = controlPlaneAvailability();

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)('a real API server', () => {
  let plane: SharedPlane;
  beforeAll(async () => {
    plane = await sharedPlane();
  });
  certificatesSuite(() => plane.config);
});
