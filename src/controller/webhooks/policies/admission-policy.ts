/** Admission policies in CEL, which API servers evaluate themselves, as typed values. */

import { subdomainProblem } from '@kgen/runtime/selectors';
import type { Operation } from '../declarations/context.ts';
import type { MatchCondition, WebhookSelector } from '../declarations/options.ts';
import type { RegisteredResource } from '../declarations/registered.ts';

/** Named expression that others read as `variables.NAME`. */
export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

/** A rule of a ValidatingAdmissionPolicy. */
export interface PolicyValidation {
  /**
   * CEL over `object`, `oldObject`, `request`, `namespaceObject`, `authorizer` and `variables`, true if
   * valid.
   */
  readonly expression: string;
  readonly message?: string | undefined;
  /** CEL of the message. Default: `message`. */
  readonly messageExpression?: string | undefined;
  /** Default: `Invalid`. */
  readonly reason?: 'Invalid' | 'Forbidden' | 'Unauthorized' | 'RequestEntityTooLarge' | undefined;
}

/** A change by a MutatingAdmissionPolicy: an apply configuration or a JSON patch, in CEL. */
export type PolicyMutation =
  | { readonly applyConfiguration: string; readonly jsonPatch?: undefined }
  | { readonly jsonPatch: string; readonly applyConfiguration?: undefined };

/** Objects to which a policy applies. */
export interface PolicyBinding {
  /** Default: the name of the policy. */
  readonly name?: string | undefined;
  /** Effects of a validation that fails. Default: `Deny`. Not for mutations. */
  readonly actions?: readonly ('Deny' | 'Warn' | 'Audit')[] | undefined;
  readonly namespaceSelector?: WebhookSelector | undefined;
  readonly objectSelector?: WebhookSelector | undefined;
}

interface PolicyOptionsBase {
  /** Name of the policy, which is unique in the cluster. */
  readonly name: string;
  /** Default: `CREATE` and `UPDATE`. */
  readonly operations?: readonly Operation[] | undefined;
  readonly subresource?: string | undefined;
  /** Whether a request is refused if an expression fails. Default: `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly variables?: readonly PolicyVariable[] | undefined;
  /** Default: one binding for all objects. */
  readonly bindings?: readonly PolicyBinding[] | undefined;
}

/** Options of `admissionPolicy`: validations or mutations. All values are literals, as those of webhooks. */
export type AdmissionPolicyOptions = PolicyOptionsBase &
  (
    | { readonly validations: readonly PolicyValidation[]; readonly mutations?: undefined }
    | {
        readonly mutations: readonly PolicyMutation[];
        readonly validations?: undefined;
        /**
         * Whether the policy is evaluated again if another one changes the object after it. Default: `Never`.
         */
        readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
      }
  );

/** A declared policy. */
export interface AdmissionPolicy {
  readonly type: 'policy';
  readonly resource: RegisteredResource;
  readonly options: AdmissionPolicyOptions;
}

/** A policy or a binding of admissionregistration.k8s.io/v1. */
export interface PolicyObject {
  readonly apiVersion: 'admissionregistration.k8s.io/v1';
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

/**
 * Declares a policy, which `kgen manifests` checks and writes: a ValidatingAdmissionPolicy, or a
 * MutatingAdmissionPolicy (Kubernetes 1.36), with its bindings.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function admissionPolicy(
  resource: RegisteredResource,
  options: AdmissionPolicyOptions,
): AdmissionPolicy {
  return { type: 'policy', resource, options };
}

/**
 * Returns the objects of a policy: the policy, then its bindings.
 * @throws {TypeError} if the name is invalid, or the policy has no rules
 */
export function policyObjects({ resource, options }: AdmissionPolicy): readonly PolicyObject[] {
  const { name, bindings = [{}], validations, mutations } = options;
  const problem = subdomainProblem(name);
  if (problem !== undefined)
    throw new TypeError(`the name ${JSON.stringify(name)} of the policy: ${problem}`);
  if ((validations ?? mutations ?? []).length === 0)
    throw new TypeError(`the policy ${name} has no rules: add validations or mutations`);
  const kind = mutations === undefined ? 'ValidatingAdmissionPolicy' : 'MutatingAdmissionPolicy';
  const apiVersion = 'admissionregistration.k8s.io/v1' as const;
  return [
    { apiVersion, kind, metadata: { name }, spec: policySpec(resource, options) },
    ...bindings.map(({ name: own = name, actions = ['Deny'], namespaceSelector, objectSelector }) => ({
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name: own },
      spec: {
        policyName: name,
        ...(mutations === undefined && { validationActions: actions }),
        ...((namespaceSelector ?? objectSelector) !== undefined && {
          matchResources: defined({ namespaceSelector, objectSelector }),
        }),
      },
    })),
  ];
}

function policySpec({ group, version, plural }: RegisteredResource, options: AdmissionPolicyOptions): object {
  const { operations = ['CREATE', 'UPDATE'], subresource, failurePolicy = 'Fail' } = options;
  const { matchConditions, variables } = options;
  const rule = {
    apiGroups: [group],
    apiVersions: [version],
    resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
    operations,
  };
  const common = defined({ failurePolicy, matchConditions, variables });
  const spec = { ...common, matchConstraints: { resourceRules: [rule] } };
  if (options.mutations === undefined) return { ...spec, validations: options.validations };
  const { reinvocationPolicy = 'Never', mutations } = options;
  return { ...spec, reinvocationPolicy, mutations: mutations.map(mutationOf) };
}

function mutationOf({ applyConfiguration, jsonPatch }: PolicyMutation): object {
  if (applyConfiguration === undefined)
    return { patchType: 'JSONPatch', jsonPatch: { expression: jsonPatch } };
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression: applyConfiguration } };
}

function defined(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
