/** Spans of runs, through the API of OpenTelemetry: without an SDK there are none. */

import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import type { RunObserver } from '../client/run-scope.ts';
import { errorOf } from '../errors.ts';
import { resourceText, versionOf } from '../records/run-notes.ts';
import type { Wake, Wakes } from '../runs/causes.ts';
import type { ReconcileKey } from '../runs/key.ts';
import type { Outcome } from '../runs/outcome.ts';
import type { SecretTexts } from '../secrecy/secret-values.ts';
import { requestSpans } from './request-spans.ts';
import { guarded, inSpan, type StartedSpan } from './sdk-call.ts';

/** A run, as described by its span. */
export interface TracedRun {
  readonly controller: string;
  readonly key: ReconcileKey;
  readonly reconcileID: string;
  readonly attempt: number;
  /** Causes of the run; `undefined` for repetitions of recorded runs. */
  readonly wakes: Wakes | undefined;
  readonly secrets: SecretTexts;
}

/** End of a run, as its span describes it. */
export interface TracedEnd {
  readonly outcome: Outcome;
  readonly isTimedOut: boolean;
}

/**
 * Calls `work` within a span `reconcile <controller>`, which is active in all its asynchronous calls, and
 * ends with it. `work` receives the observer that creates a span for each request of the run; `undefined` if
 * the span is not recorded. Errors of the SDK do not affect the run.
 */
export function traced<End extends TracedEnd>(
  run: TracedRun,
  work: (observer: RunObserver | undefined) => Promise<End>,
): Promise<End> {
  const description = { name: `reconcile ${run.controller}`, root: true, attributes: attributesOf(run) };
  return inSpan(description, (started) =>
    started === undefined ? work(undefined) : within(started, run, work),
  );
}

function attributesOf({ controller, key, reconcileID, attempt, wakes }: TracedRun): Attributes {
  const { cluster, namespace, name } = key;
  return {
    'kgen.controller': controller,
    'kgen.reconcile_id': reconcileID,
    'kgen.attempt': attempt,
    'kgen.object.name': name,
    ...(namespace !== '' && { 'k8s.namespace.name': namespace }),
    ...(cluster !== undefined && { 'k8s.cluster.name': cluster }),
    ...(wakes !== undefined && wakes.omitted > 0 && { 'kgen.causes.omitted': wakes.omitted }),
  };
}

async function within<End extends TracedEnd>(
  { tracer, span }: StartedSpan,
  { wakes, secrets }: TracedRun,
  work: (observer: RunObserver | undefined) => Promise<End>,
): Promise<End> {
  // Spans that a sampler has dropped are active, too: their trace continues in other processes.
  const isRecorded = guarded(() => span.isRecording()) === true;
  if (isRecorded) {
    guarded(() => {
      for (const wake of wakes?.wakes ?? []) span.addEvent('cause', causeAttributes(wake));
    });
  }
  const end = await work(isRecorded ? requestSpans(tracer, span, secrets) : undefined);
  guarded(() => describe(span, end, secrets));
  guarded(() => span.end());
  return end;
}

function causeAttributes({ cause, count, change, isInitial }: Wake): Attributes {
  return {
    'kgen.cause.type': cause.type,
    'kgen.cause.count': count,
    ...(cause.informer !== undefined && { 'kgen.cause.informer': cause.informer }),
    ...(isInitial === true && { 'kgen.cause.initial': true }),
    ...(change !== undefined && {
      'kgen.resource': resourceText(change.object),
      'kgen.object.name': change.object.name,
      ...(change.object.namespace !== '' && { 'k8s.namespace.name': change.object.namespace }),
      'kgen.resource_version.before': versionOf(change.before),
      'kgen.resource_version.after': versionOf(change.after),
    }),
  };
}

function describe(span: Span, { outcome, isTimedOut }: TracedEnd, secrets: SecretTexts): void {
  const afterMs = 'afterMs' in outcome ? outcome.afterMs : undefined;
  span.setAttributes({
    'kgen.outcome': outcome.type,
    ...(afterMs !== undefined && { 'kgen.requeue_after_ms': afterMs }),
    ...(isTimedOut && { 'kgen.timed_out': true }),
  });
  // A conflict is retried, and does not count as an error.
  if (outcome.type !== 'retry' && outcome.type !== 'terminal') return;
  const error = errorOf(outcome.error);
  const message = secrets.messageOf(outcome.error);
  // The stack contains the message.
  const stack = secrets.mask(error.stack ?? '');
  const isShown = message === error.message && stack === (error.stack ?? '');
  span.recordException(isShown ? error : { name: error.name, message });
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}
