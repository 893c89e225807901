/**
 * Eviction of pods with the rules of disruption budgets.
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/
 */

import { array, isObject, type JsonObject, object, own, putAt, text } from '@kgen/schema/values/json';
import { mutate, validate, type Write } from '../admission/admission.ts';
import type { Kind } from '../admission/attributes.ts';
import { type Context, clusterOf } from '../call/context.ts';
import { optionsObject, writeOptions } from '../call/options.ts';
import type { Verb } from '../call/verb.ts';
import { checkBody } from '../decoding/admit.ts';
import { decodeBody, withKind } from '../decoding/decode.ts';
import { timestamp } from '../environment/environment.ts';
import { badRequest, failure, forbidden } from '../errors/failures.ts';
import { created, Failure } from '../errors/status.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { matchesSelector } from '../resources/label-selector.ts';
import { storageKey } from '../resources/type.ts';
import { isDeleting, isReady } from '../store/object-facts.ts';
import { checkNamespace } from '../verbs/create.ts';
import { type DeleteOptions, deleteOptionsOf, preconditioned } from '../verbs/delete.ts';
import { deleteObject } from '../verbs/deletion.ts';

const evictionKind: Kind = { group: 'policy', version: 'v1', kind: 'Eviction' };
const evictionType = { strategy: 'builtin', apiVersion: 'policy/v1', ...evictionKind } as const;
const budgets = { storage: 'poddisruptionbudgets.policy', group: 'policy', plural: 'poddisruptionbudgets' };
const refusal = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Disruptions that a budget records until its controller sees them. */
const maxDisrupted = 2_000;
const retryAfterSeconds = 10;

/** Handles POST to pods/eviction: deletes a pod, unless a disruption budget does not allow it. */
export function* evict(context: Context): Verb<ApiResponse> {
  const sent = writeOptions(context, 'CreateOptions');
  const given = decodeBody(context.request, 'Eviction');
  const typed = withKind(given, evictionType);
  checkBody(context, given, evictionKind, sent);
  const body = checkNamespace(context, typed);
  const write: Write = {
    operation: 'CREATE',
    object: body,
    old: undefined,
    options: optionsObject('CreateOptions', sent),
    dryRun: sent.dryRun,
    kind: evictionKind,
  };
  const eviction = (yield* mutate(context, write)) ?? body;
  if (text(eviction, 'metadata', 'name') !== context.name)
    throw badRequest('name in URL does not match name in Eviction object');
  const deletion = deleteOptionsOf(object(eviction, 'deleteOptions'));
  const options = { ...deletion, dryRun: deletion.dryRun || sent.dryRun };
  yield* validate(context, { ...write, object: eviction });
  // The deletion of the pod is not admitted again.
  const pod = preconditioned(context, context.name, options);
  if (!isBeyondBudgets(pod)) countDisruption(context, pod, options);
  const key = storageKey(context.type, context.namespace, context.name);
  deleteObject(context, context.type, key, options.dryRun ? pod : marked(context, key, pod), options);
  return json(201, created, [...context.warnings]);
}

/** Stores the condition by which controllers see that the pod was evicted, and returns the pod. */
function marked({ store, type, environment }: Context, key: string, pod: JsonObject): JsonObject {
  const others = array(pod, 'status', 'conditions').filter(
    (each) => text(each, 'type') !== 'DisruptionTarget',
  );
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(environment),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  return store.put(type.storage, key, putAt(pod, ['status', 'conditions'], [...others, condition]));
}

/** Budgets do not count pods that do not run yet or any more. */
function isBeyondBudgets(pod: JsonObject): boolean {
  return isDeleting(pod) || ['Pending', 'Succeeded', 'Failed'].includes(text(pod, 'status', 'phase'));
}

/**
 * Counts the disruption of a pod in its budget, if it has one.
 * @throws {Failure} 429 if the budget does not allow it, 500 if the pod has several
 */
function countDisruption(context: Context, pod: JsonObject, { dryRun }: DeleteOptions): void {
  const [found, another] = budgetsOf(context, pod);
  if (found === undefined) return;
  if (another !== undefined) throw severalBudgets();
  const [key, budget] = found;
  if (!isReady(pod) && mayEvictUnready(budget)) return;
  checkBudget(budget);
  if (dryRun) return;
  const status = object(budget, 'status');
  const disruptedPods = {
    ...object(status, 'disruptedPods'),
    [context.name]: clusterOf(context, { dryRun }).now(),
  };
  const next = { ...status, disruptionsAllowed: allowedBy(status) - 1, disruptedPods };
  context.store.put(budgets.storage, key, putAt(budget, ['status'], next));
}

function budgetsOf(
  { store, namespace }: Context,
  pod: JsonObject,
): readonly (readonly [string, JsonObject])[] {
  const labels = object(pod, 'metadata', 'labels');
  return store.list(budgets.storage, `${namespace}/`).filter(([, budget]) => {
    const selector = own(object(budget, 'spec'), 'selector');
    return isObject(selector) && matchesSelector(labels, selector);
  });
}

function severalBudgets(): Failure {
  const message =
    'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
  return new Failure({ code: 500, message });
}

/** Returns whether the policy of a budget allows the eviction of pods that are not ready. */
function mayEvictUnready(budget: JsonObject): boolean {
  if (text(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const status = object(budget, 'status');
  const [desired, healthy] = [numberOf(status, 'desiredHealthy'), numberOf(status, 'currentHealthy')];
  return desired > 0 && healthy >= desired;
}

function checkBudget(budget: JsonObject): void {
  const name = text(budget, 'metadata', 'name');
  const status = object(budget, 'status');
  if (numberOf(status, 'observedGeneration') < numberOf(object(budget, 'metadata'), 'generation')) {
    const message = `The disruption budget ${name} is still being processed by the server.`;
    throw refused(message, { retryAfterSeconds });
  }
  const allowed = allowedBy(status);
  if (allowed < 0) throw forbidden(budgets, name, 'pdb disruptions allowed is negative');
  if (Object.keys(object(status, 'disruptedPods')).length > maxDisrupted) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(budgets, name, why);
  }
  if (allowed === 0) throw refused(reasonOf(name, status));
}

function reasonOf(name: string, status: JsonObject): string {
  const failed = array(status, 'conditions').find(
    (condition) =>
      text(condition, 'type') === 'DisruptionAllowed' && text(condition, 'reason') === 'SyncFailed',
  );
  if (failed !== undefined)
    return `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${text(failed, 'message')}`;
  const [desired, healthy] = [numberOf(status, 'desiredHealthy'), numberOf(status, 'currentHealthy')];
  return `The disruption budget ${name} needs ${desired} healthy pods and has ${healthy} currently`;
}

function refused(message: string, more: { readonly retryAfterSeconds?: number } = {}): Failure {
  return failure(429, 'TooManyRequests', refusal, {
    details: { causes: [{ reason: 'DisruptionBudget', message }], ...more },
  });
}

function allowedBy(status: JsonObject): number {
  return numberOf(status, 'disruptionsAllowed');
}

function numberOf(value: JsonObject, key: string): number {
  return Number(own(value, key) ?? 0);
}
