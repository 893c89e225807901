/** CustomResourceDefinitions of a run: their kinds, and until when they are served. */
import { isNoMatch } from '../discovery/errors.ts';
import { hasStatusCause, isNotFound } from '../errors.ts';
import { isObject } from '../patch/json.ts';
import { sleep } from '../rest/deadline.ts';
import { condition } from '../watch/condition.ts';
import { isDefinition } from './order.ts';
import type { Manifest } from './parse.ts';
import type { Session } from './session.ts';

/** Milliseconds after which a definition will not be served any more. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

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
 * Waits until the server has accepted a definition.
 * @throws {TimeoutError} after a minute
 */
export async function established({ dynamic, call }: Session, name: string): Promise<void> {
  const resource = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
  const isEstablished = condition('Established');
  await dynamic.resource(resource).waitFor(name, isEstablished, { ...call, timeoutMs: PATIENCE_MS });
}

/**
 * Tries again and again what needs a kind that is new, as a server begins to serve it some time after it has accepted
 * it. After a minute the failure is the answer.
 */
export async function onceServed<T>({ mapper, call }: Session, attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end || !isUnserved(error)) throw error;
    }
    await sleep(PAUSE_MS, call.signal);
    mapper.reset();
  }
}

function isUnserved(error: unknown): boolean {
  return isNoMatch(error) || isNoResource(error);
}

/** Whether there is no such resource, not just no such object: then the answer names none, or is a page. */
export function isNoResource(error: unknown): boolean {
  if (!isNotFound(error)) return false;
  return !error.details?.name || hasStatusCause(error, 'UnexpectedServerResponse');
}
