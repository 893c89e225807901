import { controlPlaneAvailability } from '@kgen/testing';
import { describe, test } from 'vitest';
import { discoverySuite } from './suite.ts';

const availability = controlPlaneAvailability({ version: '1.33.13' });

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  describe('discovery of a real server of an older version', () => discoverySuite('1.33.13'));
} else {
  describe.skip(`discovery of a real server of an older version: ${availability.reason}`, () => {
    test('needs one', () => undefined);
  });
}
