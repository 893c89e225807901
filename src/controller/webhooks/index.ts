/** Admission and conversion webhooks of operators. */

export type {
  AdmissionWebhook,
  DefaultsOptions,
  DefaultsResult,
  ValidatesOptions,
  ValidatesResult,
} from './declarations/admission.ts';
export { defaults, validates } from './declarations/admission.ts';
export type {
  AdmissionContext,
  AdmissionContextBase,
  AdmissionUser,
  Operation,
} from './declarations/context.ts';
export type {
  ConversionWebhook,
  ConvertedVersion,
  ConvertsOptions,
  VersionConversion,
} from './declarations/conversion.ts';
export { converts } from './declarations/conversion.ts';
export type {
  ObjectIn,
  ObjectOfReview,
  PartialObject,
  Reviewed,
  Subresource,
  SubresourceBodies,
} from './declarations/objects.ts';
export type { MatchCondition, WebhookOptions, WebhookSelector } from './declarations/options.ts';
