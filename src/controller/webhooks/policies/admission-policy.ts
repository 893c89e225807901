/** Admission policies in CEL, which API servers evaluate themselves, as typed values. */

import { apiVersionOf } from '@kgen/runtime';
import { labelKeyProblem, subdomainProblem } from '@kgen/runtime/selectors';
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
   * CEL over `object`, `oldObject`, `request`, `namespaceObject`, `authorizer`, `variables` and `params`,
   * true if valid.
   */
  readonly expression: string;
  readonly message?: string | undefined;
  /** CEL of the message. Default: `message`. */
  readonly messageExpression?: string | undefined;
  /** Default: `Invalid`. */
  readonly reason?: 'Invalid' | 'Forbidden' | 'Unauthorized' | 'RequestEntityTooLarge' | undefined;
}

/** An annotation of the audit event of a request. */
export interface PolicyAuditAnnotation {
  /** Name after that of the policy, at most 63 characters: the annotation is `POLICY/KEY`. */
  readonly key: string;
  /** CEL of the value, a string; an empty one or `null` adds no annotation. */
  readonly valueExpression: string;
}

/** A change by a MutatingAdmissionPolicy: an apply configuration or a JSON patch, in CEL. */
export type PolicyMutation =
  | { readonly applyConfiguration: string; readonly jsonPatch?: undefined }
  | { readonly jsonPatch: string; readonly applyConfiguration?: undefined };

/** Parameters of a binding, by name or by labels. The policy is evaluated once for each of them. */
export type PolicyParamRef = (
  | { readonly name: string; readonly selector?: undefined }
  | { readonly selector: WebhookSelector; readonly name?: undefined }
) & {
  /** Default: the namespace of the request. Not for cluster-scoped parameters. */
  readonly namespace?: string | undefined;
  /**
   * Effect of absent parameters: `Deny` refuses the request, unless `failurePolicy` is `Ignore`; `Allow`
   * skips the binding. Default: `Deny`.
   */
  readonly parameterNotFoundAction?: 'Allow' | 'Deny' | undefined;
};

/** Objects to which a policy applies. */
export interface PolicyBinding {
  /** Default: the name of the policy. */
  readonly name?: string | undefined;
  /** Effects of a validation that fails. Default: `Deny`. Not for mutations. */
  readonly actions?: readonly ('Deny' | 'Warn' | 'Audit')[] | undefined;
  readonly namespaceSelector?: WebhookSelector | undefined;
  readonly objectSelector?: WebhookSelector | undefined;
  /** Parameters, if the policy has `params`, which are otherwise `null` in expressions. */
  readonly paramRef?: PolicyParamRef | undefined;
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
  /**
   * Descriptor of the kind of the parameters, which expressions read as `params`; bindings select them with
   * `paramRef`.
   */
  readonly params?: RegisteredResource | undefined;
  /** Default: one binding for all objects. */
  readonly bindings?: readonly PolicyBinding[] | undefined;
}

/** Options of `admissionPolicy`: validations or mutations. All values are literals, as those of webhooks. */
export type AdmissionPolicyOptions = PolicyOptionsBase &
  (
    | {
        readonly validations?: readonly PolicyValidation[] | undefined;
        /** At most 20. */
        readonly auditAnnotations?: readonly PolicyAuditAnnotation[] | undefined;
        readonly mutations?: undefined;
      }
    | {
        readonly mutations: readonly PolicyMutation[];
        readonly validations?: undefined;
        readonly auditAnnotations?: undefined;
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
 * @throws {TypeError} if a name is invalid, the policy has no rules, or `params` and `paramRef` do not fit
 */
export function policyObjects({ resource, options }: AdmissionPolicy): readonly PolicyObject[] {
  const { name, bindings = [{}], mutations } = options;
  const problem = policyProblem(resource, options, bindings);
  if (problem !== undefined) throw new TypeError(problem);
  const kind = mutations === undefined ? 'ValidatingAdmissionPolicy' : 'MutatingAdmissionPolicy';
  const apiVersion = 'admissionregistration.k8s.io/v1' as const;
  return [
    { apiVersion, kind, metadata: { name }, spec: policySpec(resource, options) },
    ...bindings.map((binding) => ({
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name: binding.name ?? name },
      spec: { policyName: name, ...bindingSpec(binding, mutations === undefined) },
    })),
  ];
}

function policyProblem(
  { scope }: RegisteredResource,
  { name, params, validations, mutations, auditAnnotations = [] }: AdmissionPolicyOptions,
  bindings: readonly PolicyBinding[],
): string | undefined {
  const problem = subdomainProblem(name);
  if (problem !== undefined) return `the name ${JSON.stringify(name)} of the policy: ${problem}`;
  if ((validations ?? mutations ?? []).length + auditAnnotations.length === 0)
    return `the policy ${name} has no rules: add validations, auditAnnotations or mutations`;
  for (const { key } of auditAnnotations) {
    const fault = labelKeyProblem(`${name}/${key}`);
    if (fault !== undefined)
      return `the audit annotation ${JSON.stringify(key)} of the policy ${name}: ${fault}`;
  }
  if (params !== undefined && bindings.every(({ paramRef }) => paramRef === undefined))
    return `the policy ${name} has params, but no binding has a paramRef: params would be null`;
  return bindings.map((binding) => paramProblem(binding, params, scope)).find((fault) => fault !== undefined);
}

/** @param scope that of the objects to which the policy applies */
function paramProblem(
  { name, paramRef }: PolicyBinding,
  params: RegisteredResource | undefined,
  scope: RegisteredResource['scope'],
): string | undefined {
  if (paramRef === undefined) return undefined;
  const of = `the paramRef of the binding${name === undefined ? '' : ` ${name}`}`;
  if (params === undefined) return `${of} has no kind: add params to the policy`;
  const hasNamespace = paramRef.namespace !== undefined;
  if (params.scope === 'Cluster')
    return hasNamespace ? `${of} has a namespace, but ${params.plural} are cluster-scoped` : undefined;
  return hasNamespace || scope === 'Namespaced'
    ? undefined
    : `${of} has no namespace, and requests for cluster-scoped objects have none: add one`;
}

function bindingSpec(
  { actions = ['Deny'], namespaceSelector, objectSelector, paramRef }: PolicyBinding,
  isValidating: boolean,
): object {
  return {
    ...(paramRef && { paramRef: { parameterNotFoundAction: 'Deny', ...defined(paramRef) } }),
    ...(isValidating && { validationActions: actions }),
    ...((namespaceSelector ?? objectSelector) !== undefined && {
      matchResources: defined({ namespaceSelector, objectSelector }),
    }),
  };
}

function policySpec({ group, version, plural }: RegisteredResource, options: AdmissionPolicyOptions): object {
  const { operations = ['CREATE', 'UPDATE'], subresource, failurePolicy = 'Fail' } = options;
  const { matchConditions, variables, params } = options;
  const rule = {
    apiGroups: [group],
    apiVersions: [version],
    resources: [subresource === undefined ? plural : `${plural}/${subresource}`],
    operations,
  };
  const paramKind = params && { apiVersion: apiVersionOf(params), kind: params.kind };
  const common = defined({ failurePolicy, paramKind, matchConditions, variables });
  const spec = { ...common, matchConstraints: { resourceRules: [rule] } };
  if (options.mutations === undefined) {
    const { validations, auditAnnotations } = options;
    return { ...spec, ...defined({ validations, auditAnnotations }) };
  }
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
