import { controlPlaneAvailability } from '@kgen/testing';
import { describe, it } from 'vitest';
import { useServer } from './env.ts';
import { execTests } from './exec.ts';
import { oidcTests } from './oidc.ts';
import { serviceAccountTests } from './service-account.ts';
import { staticTests } from './static.ts';

const availability = controlPlaneAvailability();

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  describe('authentication at a real API server', () => {
    const env = useServer();
    staticTests(env);
    serviceAccountTests(env);
    execTests(env);
    oidcTests(env);
  });
} else {
  describe.skip(`authentication at a real API server: ${availability.reason}`, () => {
    it('requires one', () => undefined);
  });
}
