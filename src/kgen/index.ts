/** The programmatic interface of kgen: the command line as a function. */

export { formatProblem, type SourcePlace, type InputProblem, type ProblemSeverity } from './common/problems.ts';
export { version } from './common/version.ts';
export { type KgenConfig, defineConfig, type OutputConfig } from './config/config.ts';
export type { OutputSettings } from './config/settings.ts';
export {
  type GeneratedGroupVersion,
  type GenerateOptions,
  type GenerateResult,
  generate,
  type GenerateMode,
  type GeneratePhase,
} from './generate/generate.ts';
export type { FetchFunction } from './input/reading/url.ts';
export type { FileChange, FileClash, WritePlan } from './write/plan.ts';
