import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { describe, it } from 'vitest';
import type { RunningServer } from './env.ts';
import { e2e } from './suite.ts';

// Garbage collection requires controllers.
const options = { controllerManager: true };
const availability = controlPlaneAvailability(options);

async function start(): Promise<RunningServer> {
  const { config, kubeconfig, stop } = await startControlPlane(options);
  // The server keeps the history of a kind only since its definition, which version 1 precedes.
  return { config, kubeconfig, forget: () => Promise.resolve(), stop };
}

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  e2e({ name: 'a real API server', start });
} else {
  describe.skip(`generated clients on a real API server: ${availability.reason}`, () => {
    it('requires one', () => undefined);
  });
}
