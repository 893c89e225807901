/** Runs of controllers that have no workers. */

import type { AttachedController } from '../controller/attached-controller.ts';
import type { ManualRun, ManualRuns } from '../controller/host.ts';

/** Returns the queues of controllers. */
export function manualRunsOf(controllers: readonly AttachedController[]): ManualRuns {
  return {
    discard: async () => {
      for (const controller of controllers) await controller.discard();
    },
    perform: async () => {
      const runs: (readonly ManualRun[])[] = [];
      for (const controller of controllers) runs.push(await controller.perform());
      return runs.flat();
    },
  };
}
