/** Expressions of webhooks and policies: their variables, types and evaluation. */

import { printType } from '@kgen/schema/cel/check/types';
import { type Compiled, compile } from '@kgen/schema/cel/compile';
import { callLimit } from '@kgen/schema/cel/eval/interpreter';
import {
  admissionEnvironment,
  type ExpressionScope,
  requestType,
} from '@kgen/schema/cel/library/kubernetes/admission';
import {
  type Authorize,
  authorizerValue,
  resourceCheckValue,
} from '@kgen/schema/cel/library/kubernetes/authorizer';
import { CompileError } from '@kgen/schema/cel/syntax/issues';
import { CelObject, EvaluationError, type Value } from '@kgen/schema/cel/values/value';
import { isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { authorize } from '../access/rbac.ts';
import { storedRoles } from '../access/roles.ts';
import { accountUser } from '../identity/user.ts';
import { namespaces } from '../resources/builtin.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Attributes } from './attributes.ts';
import { toDynamic } from './dynamic.ts';
import { requestOf } from './request.ts';

/** Budget of the match conditions of a webhook. */
export const conditionBudget = 2_500_000;

const compiled = new Map<string, Compiled | CompileError>();

/** Compiles an expression, once for objects of any type. Returns the error of an invalid expression. */
export function compileExpression(source: string, scope: ExpressionScope): Compiled | CompileError {
  if (scope.object !== undefined) return attempt(source, scope);
  const types = [...scope.variables].map(([name, type]) => `${name}:${printType(type)}`);
  const key = JSON.stringify([source, scope.params !== undefined, types, scope.structs !== undefined]);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const result = attempt(source, scope);
  compiled.set(key, result);
  return result;
}

function attempt(source: string, scope: ExpressionScope): Compiled | CompileError {
  try {
    return compile(source, admissionEnvironment(scope));
  } catch (error) {
    if (error instanceof CompileError) return error;
    throw error;
  }
}

/** Variables of a request. */
export type Variables = (name: string) => Value | undefined;

/** Returns the variables of a request for an object in the version of `type`. */
export function variablesOf(
  attributes: Attributes,
  type: ResourceType,
  { object: shown, old }: { readonly object: JsonObject | undefined; readonly old: JsonObject | undefined },
  params?: Json,
): Variables {
  const { context } = attributes;
  const readers: Readonly<Record<string, () => Value>> = {
    object: () => toDynamic(shown),
    oldObject: () => toDynamic(old),
    namespaceObject: () => namespaceObject(attributes),
    request: () => toRequest(requestOf(attributes, type)),
    params: () => toDynamic(params),
    authorizer: () => authorizerValue(authorizeFor(attributes)),
    'authorizer.requestResource': () =>
      resourceCheckValue(authorizeFor(attributes), {
        group: context.type.group,
        resource: context.type.plural,
        subresource: context.subresource,
        namespace: context.namespace,
        name: attributes.name,
      }),
  };
  const cache = new Map<string, Value>();
  return (name) => {
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) return undefined;
    const value = cache.get(name) ?? read();
    cache.set(name, value);
    return value;
  };
}

function namespaceObject({ context }: Attributes): Value {
  const { type, namespace, store } = context;
  if (!type.namespaced || type.storage === namespaces.storage) return null;
  return toDynamic(store.get(namespaces.storage, namespace));
}

/** The request with the members that are not set in JSON. */
function toRequest(value: JsonObject): Value {
  const nested = new Set(['kind', 'resource', 'requestKind', 'requestResource', 'userInfo']);
  const read = (source: JsonObject): CelObject =>
    new CelObject(
      requestType.name,
      () => Object.keys(source),
      (name) => {
        const item = own(source, name);
        if (item === undefined) return undefined;
        return nested.has(name) && isObject(item) ? read(item) : toDynamic(item);
      },
    );
  return read(value);
}

function authorizeFor({ context }: Attributes): Authorize {
  return (action, account) => {
    const { path, ...resource } = action;
    return authorize(storedRoles(context.store), {
      user: account === undefined ? context.request.user : accountUser(account),
      verb: '',
      group: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
      ...resource,
      ...(path === undefined ? {} : { path }),
    });
  };
}

/** Result of an expression, and the rest of its budget. */
export interface Evaluated {
  readonly value: Value | Error;
  readonly budget: number;
}

/** Evaluates an expression. Errors have the messages of the API server. */
export function evaluate(
  source: string,
  scope: ExpressionScope,
  variables: Variables,
  budget: number,
): Evaluated {
  const expression = compileExpression(source, scope);
  if (expression instanceof Error) return { value: new EvaluationError(expression.message), budget };
  const { result, cost } = expression.program(variables, callLimit);
  if (cost > budget) {
    const message =
      'validation failed due to running out of cost budget, no further validation rules will be run';
    return { value: new EvaluationError(message), budget: -1 };
  }
  if (!(result instanceof Error)) return { value: result, budget: budget - cost };
  const message = `expression '${source}' resulted in error: ${result.message}`;
  return { value: new EvaluationError(message), budget: budget - cost };
}

/** Decision of match conditions. */
export type ConditionResult = 'match' | 'skip' | Error;

/**
 * Evaluates match conditions: one that is false excludes the request, whatever the others result in. An error
 * excludes the request if failures are ignored.
 */
export function matchConditions(
  conditions: readonly Json[],
  scope: ExpressionScope,
  variables: Variables,
  isIgnored: boolean,
): ConditionResult {
  let budget = conditionBudget;
  const errors: string[] = [];
  for (const condition of conditions) {
    const result = evaluate(text(condition, 'expression'), scope, variables, budget);
    budget = result.budget;
    if (result.value === false) return 'skip';
    if (result.value instanceof Error) errors.push(result.value.message);
  }
  if (errors.length === 0) return 'match';
  if (isIgnored) return 'skip';
  return new Error(errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`);
}
