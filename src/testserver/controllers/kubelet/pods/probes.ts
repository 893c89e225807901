/**
 * Probes and hooks of containers.
 * @see https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
 */

import { type Json, type JsonObject, object, own, strings } from '@kgen/schema/values/json';
import { number } from '../../workloads/values.ts';
import {
  type ActionHandler,
  type ActionResult,
  type ContainerAction,
  type ProgramContainer,
  runAction,
} from '../programs.ts';
import type { PodRule } from '../rules.ts';

export const probeKinds = ['startup', 'liveness', 'readiness'] as const;
export type ProbeKind = (typeof probeKinds)[number];

/** One probe of a running container. */
export class Probe {
  readonly kind: ProbeKind;
  readonly spec: JsonObject;
  /** Time of the next attempt. */
  dueAt: number;
  isPassed = false;
  #isLastOk: boolean | undefined;
  #count = 0;

  constructor(kind: ProbeKind, spec: JsonObject, startedAt: number) {
    this.kind = kind;
    this.spec = spec;
    this.dueAt = startedAt + number(spec, 0, 'initialDelaySeconds') * 1_000;
  }

  delayUntil(time: number): void {
    this.dueAt = Math.max(this.dueAt, time);
  }

  /** Probes the container. Returns whether a threshold is reached; `isPassed` is the result then. */
  run(handle: ActionHandler, container: ProgramContainer, time: number): boolean {
    this.dueAt = time + Math.max(number(this.spec, 10, 'periodSeconds'), 1) * 1_000;
    const { code, ms } = act(handle, container, this.kind, this.spec);
    const isOk = code === 0 && ms <= number(this.spec, 1, 'timeoutSeconds') * 1_000;
    this.#count = isOk === this.#isLastOk ? this.#count + 1 : 1;
    this.#isLastOk = isOk;
    const threshold = isOk
      ? number(this.spec, 1, 'successThreshold')
      : number(this.spec, 3, 'failureThreshold');
    if (this.#count < threshold) return false;
    this.isPassed = isOk;
    return true;
  }
}

/** Runs a hook. Returns how long it takes, and whether it succeeds. */
export function hookMs(
  rule: PodRule,
  container: ProgramContainer | undefined,
  spec: Json,
  hook: 'postStart' | 'preStop',
): { readonly ms: number; readonly isOk: boolean } {
  const found = object(spec, 'lifecycle', hook);
  const seconds = number(found, 0, 'sleep', 'seconds');
  if (rule.handle === undefined || container === undefined || own(found, 'sleep') !== undefined)
    return { ms: seconds * 1_000, isOk: true };
  if (Object.keys(found).length === 0) return { ms: 0, isOk: true };
  const { code, ms } = act(rule.handle, container, hook, found);
  return { ms, isOk: code === 0 };
}

const types = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

function act(
  handle: ActionHandler,
  container: ProgramContainer,
  cause: ContainerAction['cause'],
  spec: JsonObject,
): ActionResult {
  const type = types.find((each) => own(spec, each) !== undefined) ?? '';
  const ignore = (): undefined => undefined;
  const streams = { stdin: ignore, stdout: ignore, stderr: ignore };
  const action = { cause, type, spec: object(spec, type), ...streams };
  try {
    return runAction(handle(container, { ...action, command: strings(spec, 'exec', 'command') }));
  } catch {
    return { code: 1, ms: 0 };
  }
}
