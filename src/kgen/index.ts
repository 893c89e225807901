/** The programmatic interface of kgen: the command line as a function. */

export { formatProblem, type Place, type Problem, type Severity } from './common/problems.ts';
export { version } from './common/version.ts';
export { type Config, defineConfig, type OutputConfig } from './config/config.ts';
export type { Settings } from './config/settings.ts';
export {
  type GeneratedGroupVersion,
  type GenerateOptions,
  type GenerateResult,
  generate,
  type Mode,
  type Phase,
} from './generate/generate.ts';
export type { Fetch } from './input/reading/url.ts';
export type { Change, Clash, Plan } from './write/plan.ts';
