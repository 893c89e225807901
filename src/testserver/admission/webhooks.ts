/** Calls of mutating and validating webhooks in the order and with the policies of the API server. */

import { conditionScope } from '@kgen/schema/cel/library/kubernetes/admission';
import { array, equal, isObject, type Json, type JsonObject, text } from '@kgen/schema/values/json';
import { runVerb, type Verb, wait } from '../call/verb.ts';
import { convertTo, shape } from '../decoding/admit.ts';
import { failure, forbidden } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { jsonPatch } from '../patch/json.ts';
import type { ResourceType } from '../resources/type.ts';
import type { Attributes } from './attributes.ts';
import { matchConditions, variablesOf } from './expressions.ts';
import { type Hook, hooksOf } from './hooks.ts';
import { matchedType, webhookConstraints } from './match.ts';
import { callHook, HookCallError, type ReviewObjects } from './review.ts';

/** State of the rounds in which an object is mutated: a change repeats webhooks with `IfNeeded` once. */
export class Reinvocation {
  readonly #invoked = new Set<string>();
  readonly #required = new Set<string>();
  isRepeated = false;

  /** Returns whether a webhook is called in this round. */
  includes(id: string): boolean {
    return !this.isRepeated || this.#required.has(id);
  }

  /** Returns whether another round is necessary. */
  get isRequired(): boolean {
    return this.#required.size > 0;
  }

  changed(): void {
    for (const id of this.#invoked) this.#required.add(id);
    this.#invoked.clear();
  }

  invoked(id: string): void {
    this.#invoked.add(id);
  }
}

/** Returns the object after the mutating webhooks. */
export function* mutateByWebhooks(attributes: Attributes, state: Reinvocation): Verb<Attributes> {
  let current = attributes;
  for (const hook of hooksOf(attributes.context.store, 'mutating')) {
    const type = yield* shouldCall(current, hook);
    if (type === undefined || !state.includes(hook.id)) continue;
    const next = yield* mutateBy(current, hook, type);
    if (next !== current) {
      state.changed();
      current = next;
    }
    if (text(hook.config, 'reinvocationPolicy') === 'IfNeeded') state.invoked(hook.id);
  }
  return current;
}

function* mutateBy(attributes: Attributes, hook: Hook, type: ResourceType): Verb<Attributes> {
  const objects = yield* objectsIn(attributes, type);
  try {
    const operations = yield* callHook(attributes, hook, type, objects, true);
    if (operations.length === 0) return attributes;
    if (objects.object === undefined) throw notSupported(hook);
    return yield* patched(attributes, type, objects.object, operations);
  } catch (error) {
    if (!(error instanceof HookCallError)) throw error;
    if (text(hook.config, 'failurePolicy') === 'Ignore') return attributes;
    throw callFailure(hook, error);
  }
}

function notSupported({ config }: Hook): Failure {
  const name = JSON.stringify(text(config, 'name'));
  return internal(
    `admission webhook ${name} attempted to modify the object, which is not supported for this operation`,
  );
}

function internal(message: string): Failure {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
  });
}

function callFailure({ config }: Hook, error: HookCallError): Failure {
  return internal(`failed calling webhook ${JSON.stringify(text(config, 'name'))}: ${error.message}`);
}

/** Returns a patched object, or the reason why an operation of the patch cannot be applied. */
export function applyOperations(target: Json, operations: readonly Json[]): Json | Error {
  let result = target;
  for (const operation of operations) {
    try {
      result = jsonPatch(result, [operation]);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return new Error(reasonOf(operation));
    }
  }
  return result;
}

function reasonOf(operation: Json): string {
  const [op, path] = [text(operation, 'op'), text(operation, 'path')];
  if (op === 'test') return `testing value ${path} failed: test failed`;
  // Only `replace` names its path without quotes.
  const shown = op === 'replace' ? path : JSON.stringify(path);
  return `${op} operation does not apply: doc is missing path: ${shown}: missing value`;
}

/** Returns the attributes with a patched object in the version of the request. */
export function* patched(
  attributes: Attributes,
  type: ResourceType,
  shown: JsonObject,
  operations: readonly Json[],
): Verb<Attributes> {
  const result = applyOperations(shown, operations);
  if (result instanceof Error) throw internal(result.message);
  if (!isObject(result)) throw internal('the patched object is not an object');
  return yield* replaced(attributes, type, shown, result);
}

/** Returns the attributes with another object, which is in the version of `type`. */
export function* replaced(
  attributes: Attributes,
  type: ResourceType,
  shown: JsonObject,
  next: JsonObject,
): Verb<Attributes> {
  if (equal(next, shown)) return attributes;
  const own = attributes.context.type;
  if (attributes.kind.kind !== own.kind) return { ...attributes, object: next };
  const defaulted = shape(next, type).value;
  const object = type === own ? defaulted : shape(yield* convertTo(defaulted, own), own).value;
  return { ...attributes, object };
}

/** Calls the validating webhooks, all at once. The failure of the first one is reported. */
export function* validateByWebhooks(attributes: Attributes): Verb<void> {
  const hooks = hooksOf(attributes.context.store, 'validating');
  const calls: Promise<Failure | undefined>[] = [];
  for (const hook of hooks) {
    const type = yield* shouldCall(attributes, hook);
    if (type === undefined) continue;
    const objects = yield* objectsIn(attributes, type);
    calls.push(validateBy(attributes, hook, type, objects));
  }
  if (calls.length === 0) return;
  const failures = yield* wait(Promise.all(calls));
  const found = failures.find((each) => each !== undefined);
  if (found !== undefined) throw found;
}

async function validateBy(
  attributes: Attributes,
  hook: Hook,
  type: ResourceType,
  objects: ReviewObjects,
): Promise<Failure | undefined> {
  try {
    await runVerb(callHook(attributes, hook, type, objects, false));
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    if (!(error instanceof HookCallError)) throw error;
    return text(hook.config, 'failurePolicy') === 'Ignore' ? undefined : callFailure(hook, error);
  }
}

/** Returns the type in which a webhook is called. `undefined` if it does not concern the request. */
function* shouldCall(attributes: Attributes, { config }: Hook): Verb<ResourceType | undefined> {
  const type = matchedType(attributes, webhookConstraints(config));
  const conditions = array(config, 'matchConditions');
  if (type === undefined || conditions.length === 0) return type;
  const variables = variablesOf(attributes, type, yield* objectsIn(attributes, type));
  const isIgnored = text(config, 'failurePolicy') === 'Ignore';
  const result = matchConditions(conditions, conditionScope, variables, isIgnored);
  if (result instanceof Error) throw forbidden(attributes.context.type, attributes.name, result.message);
  return result === 'match' ? type : undefined;
}

/** Returns the objects of a request in the version of a webhook or policy. */
export function* objectsIn(
  { context, kind, object, old }: Attributes,
  type: ResourceType,
): Verb<ReviewObjects> {
  if (type === context.type || kind.kind !== context.type.kind) return { object, old };
  return {
    object: object && (yield* convertTo(object, type)),
    old: old && (yield* convertTo(old, type)),
  };
}
