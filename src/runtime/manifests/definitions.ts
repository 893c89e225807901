/** CustomResourceDefinitions of a run: their kinds, and until when they are served. */
import { hasStatusCause, isNotFound } from '../errors.ts';
import { isObject } from '../patch/json.ts';
import { sleep } from '../rest/deadline.ts';
import { isDefinition } from './order.ts';
import type { Manifest } from './parse.ts';
import type { Session } from './session.ts';
import type { ManifestResult } from './types.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/** Whether a definition among `manifests` defines the kind of another one. */
export function definesKind(manifests: readonly Manifest[], { group, kind }: Manifest): boolean {
  return manifests.some((manifest) => isDefinition(manifest) && defines(manifest, group, kind));
}

function defines({ body }: Manifest, group: string, kind: string): boolean {
  const { spec } = body;
  if (!isObject(spec) || !isObject(spec['names'])) return false;
  return spec['group'] === group && spec['names']['kind'] === kind;
}

/**
 * Waits until the server has accepted the definition that a result is of, if it is of one.
 * @throws {TimeoutError} when patience is over; it has the conditions of the definition
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

/** How long a run waits for its definitions: all of them together once, as none is served later than the others. */
export class Patience {
  readonly timeoutMs: number;
  readonly #session: Session;
  #end = 0;
  #pauseMs: number = FIRST_PAUSE_MS;
  #pausing: Promise<void> | undefined;

  constructor(session: Session, timeoutMs: number) {
    this.#session = session;
    this.timeoutMs = timeoutMs;
  }

  /** All definitions are sent. */
  begin(): void {
    this.#end = performance.now() + this.timeoutMs;
  }

  /**
   * Tries again and again what needs a kind that is new, as a server begins to serve it some time after it has accepted
   * it. When patience is over the failure is the answer.
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

  /** One pause and one new look at the server for all that wait. */
  async #pause(): Promise<void> {
    const { call, mapper } = this.#session;
    const ms = this.#pauseMs;
    this.#pauseMs = Math.min(ms * 2, LONGEST_PAUSE_MS);
    await sleep(ms, call.signal);
    mapper.reset();
    this.#pausing = undefined;
  }
}

/** Whether there is no such resource, not just no such object: then the answer names none, or is a page. */
export function isNoResource(error: unknown): boolean {
  if (!isNotFound(error)) return false;
  return !error.details?.name || hasStatusCause(error, 'UnexpectedServerResponse');
}
