/** Spans of runs, through the API of OpenTelemetry: without an SDK there are none. */

import { ProxyTracerProvider, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { errorOf } from '../errors.ts';
import type { ReconcileKey } from './key.ts';
import type { RunEnd } from './run.ts';

/** A run, as described by its span. */
export interface TracedRun {
  readonly controller: string;
  readonly key: ReconcileKey;
  readonly reconcileID: string;
  readonly attempt: number;
}

/**
 * Calls `work` within a span `reconcile <controller>`, which is active in all its asynchronous calls, and
 * ends with it. Errors of the SDK do not affect the run.
 */
export function traced(run: TracedRun, work: () => Promise<RunEnd>): Promise<RunEnd> {
  const tracer = tracerOf('@kgen/controller');
  if (tracer === undefined) return work();
  let started: Promise<RunEnd> | undefined;
  const begin = (span?: Span): Promise<RunEnd> => {
    started ??= span === undefined ? work() : finished(span, work());
    return started;
  };
  try {
    const options = { root: true, attributes: attributesOf(run) };
    return tracer.startActiveSpan(`reconcile ${run.controller}`, options, (span) => begin(span));
  } catch {
    return begin();
  }
}

/** Returns the tracer of the SDK; `undefined` without one, as spans that do nothing have a cost, too. */
function tracerOf(name: string): Tracer | undefined {
  try {
    const provider = trace.getTracerProvider();
    return provider instanceof ProxyTracerProvider
      ? provider.getDelegateTracer(name)
      : provider.getTracer(name);
  } catch {
    return undefined;
  }
}

function attributesOf({ controller, key, reconcileID, attempt }: TracedRun): Record<string, string | number> {
  const { cluster, namespace, name } = key;
  return {
    'kgen.controller': controller,
    'kgen.reconcile_id': reconcileID,
    'kgen.attempt': attempt,
    'kgen.object.name': name,
    ...(namespace !== '' && { 'k8s.namespace.name': namespace }),
    ...(cluster !== undefined && { 'k8s.cluster.name': cluster }),
  };
}

async function finished(span: Span, run: Promise<RunEnd>): Promise<RunEnd> {
  const end = await run;
  try {
    describe(span, end);
    span.end();
  } catch {
    // A defect of the SDK.
  }
  return end;
}

function describe(span: Span, { outcome, isTimedOut }: RunEnd): void {
  span.setAttributes({ 'kgen.outcome': outcome.type, ...(isTimedOut && { 'kgen.timed_out': true }) });
  // A conflict is retried, and does not count as an error.
  if (outcome.type !== 'retry' && outcome.type !== 'terminal') return;
  const error = errorOf(outcome.error);
  span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}
