/** Interface of the command `kgen` to the commands of `@kgen/testing`: types only. */

export type { Console, Output } from './cli/console.ts';
export type { ReplayArguments, SimulateArguments } from './cli/operators/arguments.ts';
export type { DevCluster, TestingCommands } from './cli/operators/run.ts';
export type { Progress } from './cli/progress.ts';
