/** A control plane, and programs with the sources of the packages, for all tests of a `describe`. */
import { Clientset } from '@kgen/kubernetes';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { bundleSources, type SourceBundle } from './source-bundle.ts';

/** A control plane with programs; its members are assigned before the first test. */
export interface ProgramPlane {
  readonly plane: ControlPlane;
  readonly admin: Clientset;
  readonly bundle: SourceBundle;
}

/** Registers tests that need a control plane and programs: their names and paths in the repository. */
export function describePrograms(
  title: string,
  options: { readonly timeout: number; readonly programs: Readonly<Record<string, string>> },
  define: (get: () => ProgramPlane) => void,
): void {
  const { available } = controlPlaneAvailability();
  const isAvailable = available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
  describe.runIf(isAvailable)(title, { timeout: options.timeout }, () => {
    let started: ProgramPlane | undefined;
    beforeAll(async () => {
      const plane = await startControlPlane();
      const admin = new Clientset(plane.config);
      started = { plane, admin, bundle: await bundleSources(options.programs) };
    }, 1_200_000);
    afterAll(async () => {
      await started?.admin.close();
      await started?.bundle.remove();
      await started?.plane.stop();
    });
    define(() => {
      if (started === undefined) throw new Error('the control plane has not started');
      return started;
    });
  });
}
