/** Rules and selectors that decide which requests a webhook or policy concerns. */

import {
  array,
  type Json,
  type JsonObject,
  object as objectAt,
  own,
  strings,
  text,
} from '@kgen/schema/values/json';
import { namespaces } from '../resources/builtin.ts';
import { servedTypes } from '../resources/catalog.ts';
import { matchesSelector } from '../resources/label-selector.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Attributes } from './attributes.ts';

/** Constraints of a webhook, a policy or a binding, in the form of their objects. */
export interface Constraints {
  readonly rules: readonly Json[];
  readonly excluded: readonly Json[];
  readonly matchPolicy: string;
  readonly namespaceSelector: Json | undefined;
  readonly objectSelector: Json | undefined;
}

/** Returns the constraints of a webhook. */
export function webhookConstraints(webhook: Json): Constraints {
  return {
    rules: array(webhook, 'rules'),
    excluded: [],
    matchPolicy: text(webhook, 'matchPolicy') || 'Equivalent',
    namespaceSelector: own(webhook, 'namespaceSelector'),
    objectSelector: own(webhook, 'objectSelector'),
  };
}

/** Returns the constraints of a policy or binding (`matchConstraints`, `matchResources`). */
export function policyConstraints(resources: Json | undefined): Constraints {
  return {
    rules: array(resources, 'resourceRules'),
    excluded: array(resources, 'excludeResourceRules'),
    matchPolicy: text(resources, 'matchPolicy') || 'Equivalent',
    namespaceSelector: own(resources, 'namespaceSelector'),
    objectSelector: own(resources, 'objectSelector'),
  };
}

/**
 * Returns the type in which a webhook or policy receives the object of a request: that of the request, or an
 * equivalent version. `undefined` if it does not concern the request.
 */
export function matchedType(attributes: Attributes, constraints: Constraints): ResourceType | undefined {
  if (!matchesNamespace(attributes, constraints.namespaceSelector)) return undefined;
  if (!matchesObject(attributes, constraints.objectSelector)) return undefined;
  if (
    constraints.excluded.length > 0 &&
    matchRules(attributes, constraints.excluded, constraints) !== undefined
  )
    return undefined;
  return matchRules(attributes, constraints.rules, constraints);
}

/**
 * Returns whether a binding concerns a request. A binding without rules concerns all requests of its policy.
 */
export function bindingMatches(attributes: Attributes, resources: Json | undefined): boolean {
  if (resources === undefined) return true;
  const constraints = policyConstraints(resources);
  if (constraints.rules.length > 0) return matchedType(attributes, constraints) !== undefined;
  const isExcluded =
    constraints.excluded.length > 0 &&
    matchRules(attributes, constraints.excluded, constraints) !== undefined;
  return (
    !isExcluded &&
    matchesNamespace(attributes, constraints.namespaceSelector) &&
    matchesObject(attributes, constraints.objectSelector)
  );
}

function matchRules(
  attributes: Attributes,
  rules: readonly Json[],
  { matchPolicy }: Constraints,
): ResourceType | undefined {
  const { type, store } = attributes.context;
  if (rules.some((rule) => matchesRule(attributes, rule, type))) return type;
  if (matchPolicy !== 'Equivalent') return undefined;
  const equivalents = servedTypes(store).filter(
    (other) => other.storage === type.storage && other.apiVersion !== type.apiVersion,
  );
  for (const rule of rules) {
    const found = equivalents.find((other) => matchesRule(attributes, rule, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchesRule({ context, operation, name }: Attributes, rule: Json, type: ResourceType): boolean {
  const includes = (key: string, value: string): boolean => {
    const values = strings(rule, key);
    return values.includes('*') || values.includes(value);
  };
  const names = strings(rule, 'resourceNames');
  return (
    includes('operations', operation) &&
    includes('apiGroups', type.group) &&
    includes('apiVersions', type.version) &&
    matchesScope(text(rule, 'scope'), type) &&
    (names.length === 0 || names.includes(name)) &&
    strings(rule, 'resources').some((resource) => matchesResource(resource, type.plural, context.subresource))
  );
}

function matchesScope(scope: string, type: ResourceType): boolean {
  if (scope === 'Namespaced') return type.namespaced;
  return scope === 'Cluster' ? !type.namespaced : true;
}

function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const [resource = '', part] = pattern.split('/');
  const isPart = part === undefined ? subresource === '' : part === '*' || part === subresource;
  return (resource === '*' || resource === plural) && isPart;
}

/** Namespaces match by their own labels, other objects by those of their namespace. */
function matchesNamespace({ context, object, old }: Attributes, selector: Json | undefined): boolean {
  const { type, namespace, store, name } = context;
  if (isEmpty(selector)) return true;
  if (type.storage === namespaces.storage) {
    const own = context.subresource === '' ? (object ?? old) : store.get(namespaces.storage, name);
    return matchesSelector(labelsOf(own ?? old), selector);
  }
  if (!type.namespaced || namespace === '') return true;
  return matchesSelector(labelsOf(store.get(namespaces.storage, namespace)), selector);
}

function matchesObject({ object, old }: Attributes, selector: Json | undefined): boolean {
  if (isEmpty(selector)) return true;
  return [object, old].some((value) => value !== undefined && matchesSelector(labelsOf(value), selector));
}

function labelsOf(value: JsonObject | undefined): JsonObject {
  return objectAt(value, 'metadata', 'labels');
}

function isEmpty(selector: Json | undefined): boolean {
  return (
    selector === undefined ||
    selector === null ||
    (Object.keys(own(selector, 'matchLabels') ?? {}).length === 0 &&
      array(selector, 'matchExpressions').length === 0)
  );
}
