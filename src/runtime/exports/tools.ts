/** Tools as functions: rollouts, draining of nodes, permissions, usage, and storage migrations. */

export type {
  AccessDecision,
  AccessQuestion,
  NodeUsage,
  PodUsage,
  TopOptions,
  Usage,
} from '../client/tools/access.ts';
export { canI, topNodes, topPods } from '../client/tools/access.ts';
export type { DrainOptions, DrainProgress } from '../client/tools/drain.ts';
export { cordon, drain } from '../client/tools/drain.ts';
export type { DrainRules } from '../client/tools/drain-rules.ts';
export type {
  RestartOptions,
  RolloutOptions,
  RolloutPatcher,
  RolloutWatcher,
} from '../client/tools/rollout.ts';
export { rolloutRestart, rolloutStatus } from '../client/tools/rollout.ts';
