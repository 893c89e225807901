/** Controllers as a manager runs them. */

import type { Controller } from '../controller/controller.ts';

/** A controller of any types. */
export type AnyController = Pick<
  Controller,
  | 'name'
  | 'needsLeadership'
  | 'informers'
  | 'running'
  | 'problems'
  | 'bind'
  | 'synced'
  | 'run'
  | 'unbind'
  | 'explain'
  | 'reconciles'
>;
