/** Storage migrations on a real API server. */
import { controlPlaneAvailability } from '@kgen/testing';
import { beforeAll, describe } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { migrationSuite } from './suite.ts';

const { available } = controlPlaneAvailability();
/** `KGEN_OBJECTS=5000` takes some minutes. */
const objects = Number(process.env['KGEN_OBJECTS'] ?? 300);

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)('a real API server', () => {
  let plane: SharedPlane;
  beforeAll(async () => {
    plane = await sharedPlane();
  });
  migrationSuite(() => ({ config: plane.config, objects }));
});
