/** The programmatic interface of kgen: the command line as a function. */

export {
  formatProblem,
  type InputProblem,
  type ProblemSeverity,
  type SourcePlace,
} from './common/problems.ts';
export { version } from './common/version.ts';
export { defineConfig, type KgenConfig, type OutputConfig } from './config/config.ts';
export type { OutputSettings } from './config/settings.ts';
export {
  type GeneratedGroupVersion,
  type GenerateMode,
  type GenerateOptions,
  type GeneratePhase,
  type GenerateResult,
  generate,
} from './generate/generate.ts';
export type { FetchFunction } from './input/sources/url.ts';
export {
  type ImportedDefinition,
  type ImportOptions,
  type ImportResult,
  importDefinitions,
} from './manifests/import/import-definitions.ts';
export { type ManifestsOptions, type ManifestsResult, manifests } from './manifests/manifests.ts';
export type { CreateApiOptions, CreateWebhookOptions, InitOptions } from './project/create.ts';
export { createApi, createWebhook, initProject } from './project/create.ts';
export { type CreateExternalApiOptions, createExternalApi } from './project/external.ts';
export { buildImage, type ImageOptions, type ImageResult } from './project/image/image.ts';
export { buildSingle, type SingleResult } from './project/image/single.ts';
export type { ProjectChange } from './project/plan.ts';
export type { ProjectOptions, ProjectResult } from './project/project.ts';
export type { FileChange, FileClash, WritePlan } from './write/plan.ts';
