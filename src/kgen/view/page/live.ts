/** Requests of a live page to its server. */
import type { ActionResult, LiveDocument } from '../live-document.ts';
import { LiveRun, type Shown } from './model/live-run.ts';

/** Milliseconds between two requests, and after a failed one. */
const periodMs = 150;
const failedMs = 1_000;

/** Called with the parts of a live page when they change. */
export interface LiveObserver {
  readonly show: (shown: Shown) => void;
  /** Called with the reason why a source is missing; with an empty text when all are present. */
  readonly report: (problem: string) => void;
  /** Called with whether the server performs actions. */
  readonly offer: (hasActions: boolean) => void;
}

/**
 * Requests what has changed while the page is visible.
 * @returns a function that ends the requests
 */
export function followDocument({ show, report, offer }: LiveObserver): () => void {
  const run = new LiveRun();
  const end = new AbortController();
  let timer = 0;
  let shown: Shown | undefined;
  const next = async (): Promise<void> => {
    let delay = periodMs;
    try {
      if (document.visibilityState === 'visible') delay = Math.max(periodMs, 2 * (await request()));
    } catch (error) {
      delay = failedMs;
      const isGone = error instanceof TypeError;
      const reason = error instanceof Error ? error.message : String(error);
      if (!end.signal.aborted) report(isGone ? 'kgen has ended: this page does not change any more' : reason);
    }
    if (!end.signal.aborted) timer = setTimeout(() => void next(), delay);
  };
  /** Returns the milliseconds for which the page was busy. */
  const request = async (): Promise<number> => {
    const query = new URLSearchParams(location.search);
    for (const [name, tag] of run.after) query.set(name, tag);
    const response = await fetch(`document?${query}`, { signal: end.signal });
    if (!response.ok) throw new Error(`the server of this page responds with ${response.status}`);
    const body: LiveDocument = await response.json();
    const begin = performance.now();
    run.add(body);
    if (run.shown !== undefined && run.shown !== shown) show(run.shown);
    shown = run.shown;
    report(run.problem);
    offer(body.hasActions);
    // The page is rendered before timers are called.
    await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - begin;
  };
  void next();
  return () => {
    end.abort();
    clearTimeout(timer);
  };
}

/**
 * Performs an action.
 * @throws {Error} if the server does not respond
 */
export async function act(action: object): Promise<ActionResult> {
  const response = await fetch(`act${location.search}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(action),
  });
  if (!response.ok) throw new Error(`the server of this page responds with ${response.status}`);
  return response.json();
}
