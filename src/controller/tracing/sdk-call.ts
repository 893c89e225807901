/** Calls of the SDK of OpenTelemetry, whose exporters and processors are code of the program. */
import {
  type Context,
  context,
  ProxyTracerProvider,
  type Span,
  type SpanOptions,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** Returns the result of `call`; `undefined` if it throws: those who observe runs must not affect them. */
export function guarded<R>(call: () => R): R | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

/** A span, with the tracer that has started it. */
export interface StartedSpan {
  readonly tracer: Tracer;
  readonly span: Span;
}

/** Description of a span. */
export interface SpanDescription extends SpanOptions {
  readonly name: string;
  /** Returns the context of the parent. Default: the active one. */
  readonly parent?: () => Context;
}

/**
 * Calls `work` within a span that is active in all its asynchronous calls. Without an SDK, and if it fails,
 * `work` receives none.
 */
export function inSpan<R>(
  { name, parent, ...options }: SpanDescription,
  work: (started: StartedSpan | undefined) => Promise<R>,
): Promise<R> {
  const tracer = guarded(tracerOfSDK);
  if (tracer === undefined) return work(undefined);
  let running: Promise<R> | undefined;
  const begin = (span?: Span): Promise<R> => {
    running ??= work(span && { tracer, span });
    return running;
  };
  const start = (): Promise<R> => tracer.startActiveSpan(name, options, begin);
  const active = guarded(() => (parent === undefined ? start() : context.with(parent(), start)));
  return active ?? begin();
}

/** Returns the tracer of the SDK; `undefined` without one, as spans that do nothing have a cost, too. */
function tracerOfSDK(): Tracer | undefined {
  const name = '@kgen/controller';
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer(name)
    : provider.getTracer(name);
}
