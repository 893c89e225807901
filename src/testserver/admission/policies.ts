/** ValidatingAdmissionPolicies and their bindings. */

import { type ExpressionScope, policyBudget } from '@kgen/schema/cel/library/kubernetes/admission';
import type { Value } from '@kgen/schema/cel/values/value';
import { array, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import type { Verb } from '../call/verb.ts';
import { Failure } from '../errors/status.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Store } from '../store/store.ts';
import type { Attributes } from './attributes.ts';
import { type Evaluated, evaluate, matchConditions, type Variables, variablesOf } from './expressions.ts';
import { bindingMatches, matchedType, policyConstraints } from './match.ts';
import { ParamError, paramsOf } from './params.ts';
import { declareVariables, withVariables } from './variables.ts';
import { objectsIn } from './webhooks.ts';

const group = 'admissionregistration.k8s.io';

/** A policy that concerns a request, with one of its bindings. */
export interface Invocation {
  readonly policy: JsonObject;
  readonly binding: JsonObject;
  readonly type: ResourceType;
  /** Parameters, or the reason why there are none. `undefined` is a policy without parameters. */
  readonly params: readonly (Json | undefined)[] | ParamError;
}

/** Returns the policies and bindings that concern a request. @param kind `validating` or `mutating` */
export function invocationsOf(
  attributes: Attributes,
  kind: 'validating' | 'mutating',
): readonly Invocation[] {
  const { store } = attributes.context;
  const policies = store.list(`${kind}admissionpolicies.${group}`);
  if (policies.length === 0) return [];
  const bindings = store.list(`${kind}admissionpolicybindings.${group}`).map(([, binding]) => binding);
  return policies.flatMap(([name, policy]) => {
    const type = matchedType(attributes, policyConstraints(own(own(policy, 'spec'), 'matchConstraints')));
    if (type === undefined) return [];
    return bindings
      .filter((binding) => text(binding, 'spec', 'policyName') === name)
      .filter((binding) => bindingMatches(attributes, own(own(binding, 'spec'), 'matchResources')))
      .map((binding) => ({ policy, binding, type, params: collect(store, attributes, policy, binding) }));
  });
}

function collect(
  store: Store,
  attributes: Attributes,
  policy: JsonObject,
  binding: JsonObject,
): Invocation['params'] {
  try {
    return paramsOf(store, policy, binding, attributes.context.namespace);
  } catch (error) {
    if (error instanceof ParamError) return error;
    throw error;
  }
}

/** A violation of a policy. */
interface Decision {
  readonly message: string;
  readonly reason: string;
  /** Whether the policy itself is wrong, which no validation action covers. */
  readonly isConfiguration?: boolean;
}

/**
 * Evaluates the policies that concern a request.
 * @throws {Failure} for the first violation whose binding denies it
 */
export function* validateByPolicies(attributes: Attributes): Verb<void> {
  let denial: Failure | undefined;
  for (const invocation of invocationsOf(attributes, 'validating')) {
    for (const decision of yield* decisionsOf(attributes, invocation)) {
      const failure = act(attributes, invocation, decision);
      denial ??= failure;
    }
  }
  if (denial !== undefined) throw denial;
}

function act(
  attributes: Attributes,
  { policy, binding }: Invocation,
  decision: Decision,
): Failure | undefined {
  const actions =
    decision.isConfiguration === true ? ['Deny'] : strings(own(binding, 'spec'), 'validationActions');
  const [name, by] = [text(policy, 'metadata', 'name'), text(binding, 'metadata', 'name')];
  const where = `ValidatingAdmissionPolicy '${name}' with binding '${by}'`;
  if (actions.includes('Warn'))
    attributes.context.warnings.add(`Validation failed for ${where}: ${decision.message}`);
  if (!actions.includes('Deny')) return undefined;
  return validationDenial(attributes, `${where} denied request: ${decision.message}`, decision.reason);
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function validationDenial(attributes: Attributes, message: string, reason: string): Failure {
  const { group, plural } = attributes.context.type;
  const resource = group === '' ? plural : `${plural}.${group}`;
  return new Failure({
    code: codes[reason] ?? 422,
    reason,
    message: `${resource} ${JSON.stringify(shownName(attributes))} is forbidden: ${message}`,
    details: detailsOf(attributes, message),
  });
}

/** Returns the failure of a request that a mutating policy cannot change. */
export function mutationDenial(attributes: Attributes, message: string): Failure {
  return new Failure({ code: 403, reason: 'Invalid', message, details: detailsOf(attributes, message) });
}

function shownName({ name }: Attributes): string {
  return name === '' ? 'Unknown' : name;
}

function detailsOf(attributes: Attributes, message: string): JsonObject {
  const { group, plural } = attributes.context.type;
  return { name: shownName(attributes), group, kind: plural, causes: [{ message }] };
}

function* decisionsOf(attributes: Attributes, invocation: Invocation): Verb<readonly Decision[]> {
  const { policy, type, params } = invocation;
  const isIgnored = text(policy, 'spec', 'failurePolicy') === 'Ignore';
  if (params instanceof ParamError) {
    const message = `failed to configure binding: ${params.message}`;
    return isIgnored ? [] : [{ message, reason: 'Invalid', isConfiguration: true }];
  }
  const objects = yield* objectsIn(attributes, type);
  return params.flatMap((param) =>
    evaluatePolicy(policy, variablesOf(attributes, type, objects, param), isIgnored),
  );
}

function evaluatePolicy(policy: JsonObject, request: Variables, isIgnored: boolean): readonly Decision[] {
  const spec = object(policy, 'spec');
  const scope = declareVariables(spec);
  const variables = withVariables(spec, scope, request);
  const matched = matchConditions(array(spec, 'matchConditions'), scope, variables, isIgnored);
  if (matched === 'skip') return [];
  if (matched instanceof Error) return isIgnored ? [] : [{ message: matched.message, reason: 'Invalid' }];
  let budget = policyBudget;
  const decisions = array(spec, 'validations').flatMap((validation): readonly Decision[] => {
    const result = evaluate(text(validation, 'expression'), scope, variables, budget);
    budget = result.budget;
    return decide(validation, result, scope, variables, isIgnored);
  });
  return [...decisions, ...auditDecisions(spec, scope, variables, isIgnored)];
}

function decide(
  validation: Json,
  { value, budget }: Evaluated,
  scope: ExpressionScope,
  variables: Variables,
  isIgnored: boolean,
): readonly Decision[] {
  if (value === true) return [];
  if (value instanceof Error) return isIgnored ? [] : [{ message: value.message, reason: 'Invalid' }];
  const reason = text(validation, 'reason') || 'Invalid';
  return [{ message: messageOf(validation, scope, variables, budget), reason }];
}

/** Returns the computed message if it is a single line, otherwise the message of the validation. */
function messageOf(validation: Json, scope: ExpressionScope, variables: Variables, budget: number): string {
  const source = text(validation, 'messageExpression');
  const computed: Value | Error = source === '' ? '' : evaluate(source, scope, variables, budget).value;
  const line = typeof computed === 'string' ? computed.trim() : '';
  if (line !== '' && !line.includes('\n') && Buffer.byteLength(line) <= 5 * 1024) return line;
  const message = text(validation, 'message').trim();
  return message === '' ? `failed expression: ${text(validation, 'expression').trim()}` : message;
}

/** Audit annotations are not recorded, but an error in their expression denies the request. */
function auditDecisions(
  spec: JsonObject,
  scope: ExpressionScope,
  variables: Variables,
  isIgnored: boolean,
): readonly Decision[] {
  if (isIgnored) return [];
  return array(spec, 'auditAnnotations').flatMap((annotation) => {
    const source = text(annotation, 'valueExpression');
    const { value } = evaluate(source, scope, variables, policyBudget);
    return value instanceof Error
      ? [{ message: value.message, reason: 'Invalid', isConfiguration: true }]
      : [];
  });
}
