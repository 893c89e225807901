/** Admission and conversion webhooks of operators. */

export type { ReviewRecord } from '../records/review-record.ts';
export type {
  CertificateOptions,
  CertificateSecretOptions,
} from './certificates/source.ts';
export type {
  AdmissionWebhook,
  DefaultsOptions,
  DefaultsResult,
  ValidatesOptions,
  ValidatesResult,
} from './declarations/admission.ts';
export { defaults, validates } from './declarations/admission.ts';
export type { AdmissionDeniedOptions } from './declarations/admission-denied.ts';
export { AdmissionDenied } from './declarations/admission-denied.ts';
export type {
  AdmissionContext,
  AdmissionContextBase,
  AdmissionUser,
  ContextWithOld,
  ContextWithoutOld,
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
  BindingBody,
  EvictionBody,
  ExecBody,
  NamedMetadata,
  ObjectIn,
  ObjectOfReview,
  ObjectSubresource,
  PartialObject,
  PortForwardBody,
  ProxyBody,
  Reviewed,
  StreamOptions,
  Subresource,
  SubresourceBodies,
  TokenRequestBody,
  WithMetadata,
} from './declarations/objects.ts';
export type { MatchCondition, WebhookOptions, WebhookSelector } from './declarations/options.ts';
export type {
  RegisteredAdmission,
  RegisteredConversion,
  RegisteredDeclaration,
  RegisteredResource,
} from './declarations/registered.ts';
export type { Webhook } from './declarations/webhook.ts';
export { pathOf } from './declarations/webhook.ts';
export type {
  StorageMigrationFailure,
  StorageMigrationOptions,
  StorageMigrationProgress,
  StorageMigrationResult,
} from './migration/migrate-storage.ts';
export { migrateStorage, StorageMigrationError } from './migration/migrate-storage.ts';
export type { ManagedStorageMigrationOptions } from './migration/storage-migration.ts';
export { storageMigration } from './migration/storage-migration.ts';
export type {
  AdmissionPolicy,
  AdmissionPolicyOptions,
  PolicyAuditAnnotation,
  PolicyBinding,
  PolicyMutation,
  PolicyObject,
  PolicyParamRef,
  PolicyValidation,
  PolicyVariable,
} from './policies/admission-policy.ts';
export { admissionPolicy, policyObjects } from './policies/admission-policy.ts';
export type {
  ConfiguredConversion,
  ConfiguredWebhook,
  RegistrationSettings,
  WebhookClientConfig,
  WebhookConfiguration,
  WebhookConfigurations,
} from './registration/configurations.ts';
export { webhookCertificate, webhookConfigurations, webhookService } from './registration/configurations.ts';
export type { LocalMachine, LocalWebhookHost } from './registration/local-host.ts';
export { localWebhookHost } from './registration/local-host.ts';
export type { RegistrationProblem } from './registration/problems.ts';
export { registrationProblems } from './registration/problems.ts';
export type { RegisterOptions, UnregisterOptions } from './registration/register.ts';
export { registerWebhooks, unregisterWebhooks } from './registration/register.ts';
export type {
  RespondOptions,
  ReviewResponse,
  ReviewService,
  ReviewServiceParts,
} from './review/review-service.ts';
export { reviewService } from './review/review-service.ts';
export type { Webhooks, WebhooksOptions } from './webhooks.ts';
export { webhooks } from './webhooks.ts';
