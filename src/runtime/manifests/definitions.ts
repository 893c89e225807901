/** CustomResourceDefinitions of a run: their kinds, and waiting until they are served. */

import { hasStatusCause, isNotFound } from '../api/failure-reasons.ts';
import { isFields } from '../common/fields.ts';
import { sleep } from '../rest/abort/deadline.ts';
import { isDefinition } from './order.ts';
import type { Manifest } from './parse.ts';
import type { Session } from './session.ts';
import type { ManifestResult } from './types.ts';

const firstPauseMs = 50;
const longestPauseMs = 1000;

/** Returns whether a definition among `manifests` defines the kind of another manifest. */
export function definesKind(manifests: readonly Manifest[], { group, kind }: Manifest): boolean {
  return manifests.some((manifest) => isDefinition(manifest) && defines(manifest, group, kind));
}

function defines({ body }: Manifest, group: string, kind: string): boolean {
  const { spec } = body;
  if (!isFields(spec) || !isFields(spec['names'])) return false;
  return spec['group'] === group && spec['names']['kind'] === kind;
}

/**
 * Waits until the server has accepted the definition of a result, if it is a definition.
 * @throws {TimeoutError} after the limit, with the conditions of the definition
 */
export async function established(
  { dynamic, call, dryRun, tools }: Session,
  patience: Patience,
  result: ManifestResult,
): Promise<ManifestResult> {
  const { object, action } = result;
  if (object?.kind !== 'CustomResourceDefinition' || action === 'failed' || dryRun !== undefined)
    return result;
  const resource = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
  const isEstablished = tools.condition('Established');
  const { timeoutMs } = patience;
  await dynamic.resource(resource).waitFor(object.name, isEstablished, { ...call, timeoutMs });
  return result;
}

/**
 * The limit of a run for its definitions, which they share because they become available at the same time.
 */
export class Patience {
  readonly timeoutMs: number;
  readonly #session: Session;
  #end = 0;
  #pauseMs: number = firstPauseMs;
  #pausing: Promise<void> | undefined;

  constructor(session: Session, timeoutMs: number) {
    this.#session = session;
    this.timeoutMs = timeoutMs;
  }

  /** Starts the limit, when all definitions are sent. */
  begin(): void {
    this.#end = performance.now() + this.timeoutMs;
  }

  /**
   * Retries an operation that needs a new kind, because a server serves a kind some time after it has
   * accepted it. Rejects with the last error after the limit.
   */
  async onceServed<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (performance.now() > this.#end || !this.#isUnserved(error)) throw error;
      }
      this.#pausing ??= this.#pause();
      await this.#pausing;
    }
  }

  #isUnserved(error: unknown): boolean {
    return this.#session.tools.isNoMatch(error) || isNoResource(error);
  }

  /** All waiting operations share one pause and one discovery request. */
  async #pause(): Promise<void> {
    const { call, mapper } = this.#session;
    const ms = this.#pauseMs;
    this.#pauseMs = Math.min(ms * 2, longestPauseMs);
    await sleep(ms, call.signal);
    mapper.reset();
    this.#pausing = undefined;
  }
}

/**
 * Returns whether the resource, rather than the object, does not exist: the response names no resource, or is
 * a page.
 */
export function isNoResource(error: unknown): boolean {
  if (!isNotFound(error)) return false;
  return !error.details?.name || hasStatusCause(error, 'UnexpectedServerResponse');
}
