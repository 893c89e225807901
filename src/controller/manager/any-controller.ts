/** Controllers as a manager runs them. */

import type { Controller } from '../controller/controller.ts';
import type { ManualRun, ManualRuns } from '../controller/host.ts';

/** A controller of any types. */
export type AnyController = Pick<
  Controller,
  | 'name'
  | 'needsLeadership'
  | 'informers'
  | 'running'
  | 'bind'
  | 'synced'
  | 'run'
  | 'discard'
  | 'perform'
  | 'unbind'
  | 'explain'
  | 'reconciles'
>;

/** Returns the queues of controllers that have no workers. */
export function manualRunsOf(controllers: readonly AnyController[]): ManualRuns {
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
