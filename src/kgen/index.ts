/** The programmatic interface of kgen: the command line as a function. */

export { type Config, defineConfig, type OutputConfig } from './config/config.ts';
export type { Settings } from './config/settings.ts';
export {
  type GeneratedGroupVersion,
  type GenerateOptions,
  type GenerateResult,
  generate,
  type Mode,
  type Phase,
} from './generate.ts';
export type { Fetch } from './input/url.ts';
export { formatProblem, type Place, type Problem, type Severity } from './problems.ts';
export { version } from './version.ts';
export type { Change, Clash, Plan } from './write/plan.ts';
