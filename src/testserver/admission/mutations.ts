/** MutatingAdmissionPolicies and their bindings: JSON patches and apply configurations in CEL. */

import {
  type ExpressionScope,
  mutationStructs,
  patchType,
  policyBudget,
} from '@kgen/schema/cel/library/kubernetes/admission';
import { CelList, CelObject, EvaluationError, type Value } from '@kgen/schema/cel/values/value';
import { array, isObject, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../call/verb.ts';
import { ownershipSchema } from '../managed/shape.ts';
import { merge } from '../managed/walk.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Attributes } from './attributes.ts';
import { toJson } from './dynamic.ts';
import { evaluate, matchConditions, type Variables, variablesOf } from './expressions.ts';
import { ParamError } from './params.ts';
import { type Invocation, invocationsOf, mutationDenial } from './policies.ts';
import { declareVariables, withVariables } from './variables.ts';
import { applyOperations, objectsIn, type Reinvocation, replaced } from './webhooks.ts';

/** Returns the object after the mutating policies. */
export function* mutateByPolicies(attributes: Attributes, state: Reinvocation): Verb<Attributes> {
  let current = attributes;
  for (const invocation of invocationsOf(attributes, 'mutating')) {
    const id = `${text(invocation.policy, 'metadata', 'name')}/${text(invocation.binding, 'metadata', 'name')}`;
    if (!state.includes(id)) continue;
    const next = yield* mutateBy(current, invocation);
    if (next !== current) {
      state.changed();
      current = next;
    }
    if (text(invocation.policy, 'spec', 'reinvocationPolicy') === 'IfNeeded') state.invoked(id);
  }
  return current;
}

function* mutateBy(attributes: Attributes, { policy, binding, type, params }: Invocation): Verb<Attributes> {
  const isIgnored = text(policy, 'spec', 'failurePolicy') === 'Ignore';
  const denied = (why: string): Error => {
    const names = `'${text(policy, 'metadata', 'name')}' with binding '${text(binding, 'metadata', 'name')}'`;
    return mutationDenial(attributes, `policy ${names} denied request: ${why}`);
  };
  if (params instanceof ParamError) {
    if (isIgnored) return attributes;
    throw denied(`failed to configure binding: ${params.message}`);
  }
  let current = attributes;
  for (const param of params) {
    const next = yield* mutateWith(current, object(policy, 'spec'), type, param, isIgnored);
    if (!(next instanceof Error)) current = next;
    else if (!isIgnored) throw denied(next.message);
  }
  return current;
}

function* mutateWith(
  attributes: Attributes,
  spec: JsonObject,
  type: ResourceType,
  param: Json | undefined,
  isIgnored: boolean,
): Verb<Attributes | Error> {
  const scope = declareVariables(spec, mutationStructs);
  let current = attributes;
  for (const [index, mutation] of array(spec, 'mutations').entries()) {
    const objects = yield* objectsIn(current, type);
    if (objects.object === undefined) return current;
    const variables = withVariables(spec, scope, variablesOf(current, type, objects, param));
    if (index === 0) {
      const matched = matchConditions(array(spec, 'matchConditions'), scope, variables, isIgnored);
      if (matched instanceof Error) return matched;
      if (matched === 'skip') return current;
    }
    const next = mutated(mutation, objects.object, type, scope, variables);
    if (next instanceof Error) return next;
    current = yield* replaced(current, type, objects.object, next);
  }
  return current;
}

function mutated(
  mutation: Json,
  target: JsonObject,
  type: ResourceType,
  scope: ExpressionScope,
  variables: Variables,
): JsonObject | Error {
  const kind = text(mutation, 'patchType');
  const part = own(mutation, kind === patchType.name ? 'jsonPatch' : 'applyConfiguration');
  const { value } = evaluate(text(part, 'expression'), scope, variables, policyBudget);
  if (value instanceof Error) return value;
  try {
    return kind === patchType.name ? patchedBy(value, target) : appliedBy(value, target, type);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

function patchedBy(value: Value, target: JsonObject): JsonObject | Error {
  if (!(value instanceof CelList))
    return new Error('type mismatch: JSONPatchType.expression should evaluate to array');
  const result = applyOperations(target, value.items.map(toJson));
  if (result instanceof Error) return new Error(`JSON Patch: ${result.message}`);
  return isObject(result) ? result : new Error('JSON Patch: the patched object is not an object');
}

function appliedBy(value: Value, target: JsonObject, type: ResourceType): JsonObject | Error {
  if (!(value instanceof CelObject))
    return new Error('unsupported return type from ApplyConfiguration expression');
  const config = toJson(value);
  if (!isObject(config)) return new Error('invalid return type');
  return object(merge(target, config, ownershipSchema(type.schema)));
}
