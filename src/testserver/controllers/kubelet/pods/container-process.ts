/** Life of one container: its runs, probes, hooks and log. */

import { type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { LogLine } from '../../../call/stream-handlers.ts';
import { earliest, number } from '../../workloads/values.ts';
import type { PodEvent } from '../events.ts';
import { commandOf, type Environment } from '../files/environment.ts';
import type { FileSystem } from '../files/file-system.ts';
import {
  nextStep,
  type ProgramContainer,
  type RunningProgram,
  type Step,
  signal,
  signalCode,
} from '../programs.ts';
import type { PodRule } from '../rules.ts';
import { ContainerInput } from './container-input.ts';
import { hookMs, Probe, type ProbeKind, probeKinds } from './probes.ts';
import type { ContainerRole } from './roles.ts';
import { type ContainerEnd, removed, terminationMessage } from './termination.ts';

/** Pod of a container, as it is now. */
export interface ContainerHost {
  readonly pod: JsonObject;
  /** The pod with its addresses, which its status has once its containers run. */
  readonly addressed: JsonObject;
  readonly rule: PodRule;
  fileSystem(container: Json, env: Environment['values']): FileSystem;
  record(event: PodEvent): void;
  warn(problem: unknown): void;
}

/** Delays between the restarts of a container that ends again and again. */
const firstBackoffMs = 10_000;
const longestBackoffMs = 300_000;

const mostLines = 10_000;

/** One container of a pod. */
export class ContainerProcess {
  readonly role: ContainerRole;
  spec: Json;
  phase: 'waiting' | 'running' | 'ended' = 'waiting';
  /** Why it cannot be created. */
  problem: string | undefined;
  restarts = 0;
  startedAt = 0;
  /** Number of runs that have ended. */
  ends = 0;
  /** Whether the startup probe has succeeded. */
  isStarted = false;
  /** The end of the run before, or of the last one. */
  end: ContainerEnd | undefined;
  /** The end before that. */
  previousEnd: ContainerEnd | undefined;
  /** Specification of the current run. */
  started: Json = null;
  /** Whether the container ends before its restart, so that it is restarted at once. */
  isReplaced = false;
  container: ProgramContainer | undefined;
  readonly input: ContainerInput = new ContainerInput();
  lines: LogLine[] = [];
  previousLines: LogLine[] = [];
  #backoff: { readonly ms: number; readonly since: number } | undefined;
  #program: RunningProgram | undefined;
  #stepAt: number | undefined;
  #signalAt: number | undefined;
  #killAt: number | undefined;
  #probes: readonly Probe[] = [];
  #readyAt: number | undefined;
  #fileSystem: FileSystem | undefined;
  #time = 0;
  readonly #host: ContainerHost;

  constructor(host: ContainerHost, role: ContainerRole, spec: Json) {
    this.#host = host;
    this.role = role;
    this.spec = spec;
  }

  get name(): string {
    return text(this.spec, 'name');
  }

  get isStopping(): boolean {
    return this.#killAt !== undefined;
  }

  /** Delay before the next restart. */
  get backoffMs(): number {
    const last = this.#backoff;
    const isExpired = last === undefined || this.#ended - last.since > 2 * longestBackoffMs;
    return isExpired ? 0 : last.ms;
  }

  /** Time of the next restart, if the container is to be restarted. */
  get restartAt(): number {
    return this.isReplaced ? this.#ended : this.#ended + this.backoffMs;
  }

  get #ended(): number {
    return this.end?.finishedAt ?? 0;
  }

  /** Continues a run of which a status reports the times, such as one of a snapshot. */
  resume(startedAt: number, restarts: number, end: ContainerEnd | undefined, isRunning: boolean): void {
    this.restarts = restarts;
    this.ends = restarts;
    this.end = end;
    this.startedAt = startedAt;
    if (restarts > 0) this.#backoff = { ms: backoffAfter(restarts), since: startedAt };
    if (isRunning) this.#begin(startedAt, { values: {} }, false);
    else if (end !== undefined && end.reason !== removed.reason) {
      this.phase = 'ended';
      this.ends += 1;
    }
  }

  /** Starts a run. */
  start(time: number, environment: Environment): void {
    const isRestart = this.phase === 'ended';
    if (isRestart) {
      this.restarts += 1;
      const before = this.backoffMs;
      const ms = before === 0 ? firstBackoffMs : Math.min(before * 2, longestBackoffMs);
      this.#backoff = this.isReplaced ? undefined : { ms, since: time };
      this.previousLines = this.lines;
      this.lines = [];
    }
    this.startedAt = time;
    this.#begin(time, environment, true);
  }

  /** Ends the run without a grace period, and removes the container, which then starts as the others do. */
  reset(time: number): void {
    if (this.phase === 'waiting') return;
    this.#finish(time, signalCode.SIGKILL, removed.reason, removed.message);
    this.phase = 'waiting';
    this.restarts += 1;
    this.previousLines = this.lines;
    this.lines = [];
  }

  #begin(time: number, environment: Environment, isNew: boolean): void {
    const { rule } = this.#host;
    this.phase = 'running';
    this.problem = undefined;
    this.isReplaced = false;
    this.started = this.spec;
    this.#time = time;
    this.#signalAt = undefined;
    this.#killAt = undefined;
    this.#fileSystem = this.#host.fileSystem(this.spec, environment.values);
    const container = this.#containerOf(environment);
    if (isNew) this.#recordStart();
    this.container = container;
    const probes = rule.handle === undefined ? [] : probeKinds.filter((kind) => this.#hasProbe(kind));
    this.#probes = probes.map((kind) => new Probe(kind, object(this.spec, probeMembers[kind]), time));
    this.isStarted = !isNew || !probes.includes('startup');
    const hook = isNew ? hookMs(rule, container, this.spec, 'postStart') : { ms: 0, isOk: true };
    this.#readyAt = time + hook.ms;
    this.#program = this.#programOf(container);
    this.#stepAt = this.#program === undefined ? undefined : time;
    if (!hook.isOk) this.stop(time + hook.ms, 0);
  }

  #recordStart(): void {
    const message = `Container image "${text(this.spec, 'image')}" already present on machine`;
    this.#host.record({ reason: 'Pulled', message });
    this.#host.record({ reason: 'Created', message: 'Container created' });
    this.#host.record({ reason: 'Started', message: 'Container started' });
  }

  #programOf(container: ProgramContainer): RunningProgram | undefined {
    try {
      return this.#host.rule.run?.(container);
    } catch (error) {
      this.#host.warn(error);
      return undefined;
    }
  }

  #hasProbe(kind: ProbeKind): boolean {
    return own(object(this.spec), probeMembers[kind]) !== undefined;
  }

  /** Whether the container is ready at a time. */
  isReadyAt(time: number): boolean {
    if (this.phase !== 'running' || !this.isStarted) return false;
    const probe = this.#probes.find(({ kind }) => kind === 'readiness');
    if (probe !== undefined && !probe.isPassed) return false;
    const readyAt = this.#readyTime();
    return readyAt !== undefined && time >= readyAt;
  }

  #readyTime(): number | undefined {
    const { rule } = this.#host;
    const after = this.role === 'main' ? (rule.readyAfterMs ?? 0) : 0;
    return after === false ? undefined : Math.max(this.startedAt + after, this.#readyAt ?? 0);
  }

  /** Time of the next event, after `time` for those that need no action. */
  nextAt(time: number): number | undefined {
    if (this.phase !== 'running') return undefined;
    const readyAt = this.#readyTime();
    const times = [
      this.#stepAt,
      this.#signalAt,
      this.#killAt,
      this.#ruledEnd(),
      ...this.#duties().map((probe) => probe.dueAt),
      readyAt !== undefined && readyAt > time ? readyAt : undefined,
    ];
    return earliest(times.filter((each) => each !== undefined));
  }

  /** Probes that run now: liveness and startup only until the container stops. */
  #duties(): readonly Probe[] {
    return this.#probes.filter(({ kind }) => {
      if (kind === 'startup') return !this.isStarted && !this.isStopping;
      return this.isStarted && (kind === 'readiness' || !this.isStopping);
    });
  }

  /** Returns when the rule ends a container without a program. */
  #ruledEnd(): number | undefined {
    const { exit, run } = this.#host.rule;
    if (run !== undefined) return undefined;
    if (this.role === 'init') return this.startedAt;
    if (this.role !== 'main' || exit === undefined) return undefined;
    if (this.ends >= (exit.times ?? Number.POSITIVE_INFINITY)) return undefined;
    return this.startedAt + (exit.afterMs ?? 0);
  }

  /** Handles the events up to `time`. */
  fire(time: number): void {
    if (this.phase !== 'running') return;
    this.#time = time;
    const ruled = this.#ruledEnd();
    if (ruled !== undefined && ruled <= time) this.#finishByRule(ruled);
    if (this.phase === 'running' && this.#stepAt !== undefined && this.#stepAt <= time) this.#step(time);
    if (this.phase === 'running' && this.#signalAt !== undefined && this.#signalAt <= time)
      this.#signal(time);
    if (this.phase === 'running' && this.#killAt !== undefined && this.#killAt <= time)
      this.#finish(this.#killAt, signalCode.SIGKILL);
    for (const probe of this.#duties())
      if (this.phase === 'running' && probe.dueAt <= time) this.#probe(probe, probe.dueAt);
  }

  #finishByRule(time: number): void {
    const { exit } = this.#host.rule;
    if (this.role === 'init') this.#finish(time, 0);
    else this.#finish(time, exit?.code ?? 0, exit?.reason, exit?.message);
  }

  #step(time: number): void {
    const program = this.#program;
    if (program === undefined) return;
    this.#follow(
      nextStep(program, (error) => this.#host.warn(error)),
      time,
    );
  }

  #follow(step: Step, time: number): void {
    if ('code' in step) this.#finish(time, step.code, step.reason, step.message);
    else this.#stepAt = time + step.afterMs;
  }

  #signal(time: number): void {
    this.#signalAt = undefined;
    const program = this.#program;
    if (program !== undefined) this.#follow(signal(program, 'SIGTERM'), time);
    else this.#finish(time, signalCode.SIGTERM);
  }

  #probe(probe: Probe, time: number): void {
    const { rule } = this.#host;
    if (this.container === undefined || rule.handle === undefined) return;
    const isDecided = probe.run(rule.handle, this.container, time);
    if (!isDecided || probe.kind === 'readiness') return;
    if (probe.isPassed) {
      if (probe.kind === 'startup') this.#startProbes(time);
      return;
    }
    this.#host.record({ reason: 'Unhealthy', type: 'Warning', message: `${probe.kind} probe failed` });
    const grace = number(probe.spec, this.#graceSeconds(), 'terminationGracePeriodSeconds');
    this.stop(time, grace * 1_000);
  }

  #startProbes(time: number): void {
    this.isStarted = true;
    for (const probe of this.#probes) probe.delayUntil(time);
  }

  #graceSeconds(): number {
    return number(this.#host.pod, 30, 'spec', 'terminationGracePeriodSeconds');
  }

  /** Ends the run: calls the hook `preStop`, sends SIGTERM, and kills the process after `graceMs`. */
  stop(time: number, graceMs: number): void {
    if (this.phase !== 'running') return;
    if (this.#killAt !== undefined) {
      this.#killAt = Math.min(this.#killAt, time + graceMs);
      return;
    }
    const { rule } = this.#host;
    this.#host.record({ reason: 'Killing', message: `Stopping container ${this.name}` });
    this.#killAt = time + graceMs;
    const hook = hookMs(rule, this.container, this.spec, 'preStop');
    const delay = rule.run === undefined ? (rule.terminateAfterMs ?? 0) : 0;
    this.#signalAt = Math.min(time + hook.ms + delay, this.#killAt);
  }

  /** Marks the container for a restart with a changed specification. */
  replace(time: number): void {
    if (this.isReplaced || this.phase !== 'running') return;
    this.isReplaced = true;
    this.stop(time, this.#graceSeconds() * 1_000);
  }

  #finish(time: number, code: number, reason?: string, message?: string): void {
    this.phase = 'ended';
    this.isStarted = false;
    this.ends += 1;
    this.#program = undefined;
    this.#stepAt = undefined;
    this.#signalAt = undefined;
    this.#killAt = undefined;
    this.previousEnd = this.end;
    this.end = {
      startedAt: Math.min(this.startedAt, time),
      finishedAt: time,
      code,
      reason: reason ?? (code === 0 ? 'Completed' : 'Error'),
      message: message ?? this.#terminationMessage(code),
      run: this.restarts,
    };
  }

  #terminationMessage(code: number): string | undefined {
    const files = this.#host.rule.run === undefined ? undefined : this.#fileSystem;
    return terminationMessage(this.spec, files, this.lines, code);
  }

  #containerOf(environment: Environment): ProgramContainer {
    const { pod } = this.#host;
    const host = this.#host;
    const files = (): FileSystem | undefined => this.#fileSystem;
    return {
      namespace: text(pod, 'metadata', 'namespace'),
      pod: text(pod, 'metadata', 'name'),
      name: this.name,
      image: text(this.started, 'image'),
      command: commandOf(this.spec, 'command', environment.values),
      args: commandOf(this.spec, 'args', environment.values),
      env: { ...environment.values },
      restarts: this.restarts,
      get object() {
        return host.addressed;
      },
      stdin: () => this.input.read(this.started),
      log: (line) => this.#write(line),
      file: (path) => files()?.read(path),
      files: (prefix) => files()?.list(prefix) ?? [],
      write: (path, content, mode) => files()?.write(path, content, mode),
      now: () => this.#time,
    };
  }

  #write(line: string): void {
    const time = new Date(this.#time);
    for (const each of line.split('\n')) this.lines.push({ text: each, time });
    if (this.lines.length > mostLines) this.lines = this.lines.slice(-mostLines);
  }
}

const probeMembers = {
  startup: 'startupProbe',
  liveness: 'livenessProbe',
  readiness: 'readinessProbe',
} as const;

function backoffAfter(restarts: number): number {
  return Math.min(firstBackoffMs * 2 ** (restarts - 1), longestBackoffMs);
}
