/** Interface of the command `kgen` to the commands of `@kgen/testing`: types only. */

export type { LocalPorts } from '../../project/local/ports.ts';
export type { ActionResult, PlayKind, PlaySample, PlayState, TextError } from '../../view/live-document.ts';
export type { Console, Output } from '../console.ts';
export type { Progress } from '../progress.ts';
export type { ReplayArguments, SimulateArguments } from './arguments.ts';
export type {
  DevCluster,
  DevSamples,
  OperatorEnd,
  OperatorOptions,
  OperatorProcess,
  TestingCommands,
} from './run.ts';
