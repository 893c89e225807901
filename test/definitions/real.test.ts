/** Installation of definitions on a real API server. */
import { controlPlaneAvailability } from '@kgen/testing';
import { beforeAll, describe } from 'vitest';
import { type SharedPlane, sharedPlane } from '../support/shared-plane.ts';
import { mistakesSuite } from './mistakes.ts';
import { removedVersionsSuite } from './removed-versions.ts';
import { rulesSuite } from './rules.ts';
import { definitionsSuite } from './suite.ts';

const { available } = controlPlaneAvailability();

describe.skipIf(!available && process.env['KGEN_NOTHING_SKIPPED'] === undefined)('a real API server', () => {
  let plane: SharedPlane;
  beforeAll(async () => {
    plane = await sharedPlane();
  });
  definitionsSuite(() => plane.config);
  mistakesSuite(() => plane.config);
  removedVersionsSuite(() => plane.config);
  rulesSuite(() => plane.config);
});
