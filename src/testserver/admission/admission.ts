/**
 * Admission of writes: mutating policies and webhooks before an object is validated, validating ones after
 * it.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/
 */

import type { JsonObject } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import type { Verb } from '../call/verb.ts';
import { type Attributes, kindOf, nameIn, type Operation } from './attributes.ts';
import { mutateByPolicies } from './mutations.ts';
import { validateByPolicies } from './policies.ts';
import { mutateByWebhooks, Reinvocation, validateByWebhooks } from './webhooks.ts';

/** A write as its verb sees it. */
export interface Write {
  readonly operation: Operation;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
  readonly options: JsonObject;
  readonly dryRun: boolean;
  /** Kind of the object, if it is not that of the resource. */
  readonly kind?: Attributes['kind'];
}

/** Resources that would lock a user out if a webhook or policy could refuse changes of them. */
const exempt: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * Returns the object after mutating admission; the object itself if nothing changes it.
 * @throws {Failure} if a webhook or policy denies the request
 */
export function* mutate(context: Context, write: Write): Verb<JsonObject | undefined> {
  const attributes = attributesOf(context, write);
  if (attributes === undefined) return write.object;
  const [policies, webhooks] = [new Reinvocation(), new Reinvocation()];
  const first = yield* mutateByPolicies(attributes, policies);
  const second = yield* mutateByWebhooks(first, webhooks);
  if (second === attributes) return second.object;
  // Whatever changed an object after the last call of a plugin repeats that plugin.
  if (second !== first) policies.changed();
  policies.isRepeated = true;
  webhooks.isRepeated = true;
  const third = policies.isRequired ? yield* mutateByPolicies(second, policies) : second;
  if (third !== second) webhooks.changed();
  return (webhooks.isRequired ? yield* mutateByWebhooks(third, webhooks) : third).object;
}

function attributesOf(context: Context, write: Write): Attributes | undefined {
  const { type } = context;
  if (type.group === 'admissionregistration.k8s.io' && exempt.has(type.plural)) return undefined;
  return { kind: kindOf(type), ...write, context, name: nameIn(context, write.object) };
}

/**
 * Runs validating admission.
 * @throws {Failure} if a webhook or policy denies the request
 */
export function* validate(context: Context, write: Write): Verb<void> {
  const attributes = attributesOf(context, write);
  if (attributes === undefined) return;
  yield* validateByPolicies(attributes);
  yield* validateByWebhooks(attributes);
}
