import { controlPlaneAvailability } from '@kgen/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { metricsTests } from './metrics.ts';
import { permissionTests } from './suite.ts';

const { available } = controlPlaneAvailability();

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)('a real API server', () => {
  let plane: SharedPlane | undefined;
  beforeAll(async () => {
    plane = await sharedPlane();
  });
  afterAll(() => plane?.stop());

  permissionTests('permissions on a real API server', () => plane?.config ?? { server: '' });
  metricsTests('metrics with a real API server', () => plane?.config ?? { server: '' });
});
