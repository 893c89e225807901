import { controlPlaneAvailability } from '@kgen/testing';
import { describe, test } from 'vitest';
import { discoverySuite } from './suite.ts';

const availability = controlPlaneAvailability();

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  describe('discovery of a real server', () => discoverySuite());
} else {
  describe.skip(`discovery of a real server: ${availability.reason}`, () => {
    test('requires one', () => undefined);
  });
}
