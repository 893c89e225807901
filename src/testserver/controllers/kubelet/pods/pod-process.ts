/** Life of one pod on its node: the order in which its containers start, restart and end. */

import { array, equal, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Cluster } from '../../cluster.ts';
import { nodes } from '../../workloads/paths.ts';
import { earliest, number } from '../../workloads/values.ts';
import type { PodEvent, RecordEvent } from '../events.ts';
import { type Environment, environmentOf, missingSource } from '../files/environment.ts';
import { FileSystem, subPathProblem, type WrittenFiles } from '../files/file-system.ts';
import { missingVolume } from '../files/volumes.ts';
import { hostAddress } from '../nodes.ts';
import type { PodRule } from '../rules.ts';
import { ContainerProcess } from './container-process.ts';
import { isRestarted, restartsAll } from './restarts.ts';
import { resumed } from './resume.ts';
import { rolesOf } from './roles.ts';

/** Number of events that are handled at once. A program that never waits must not stop the server. */
const mostEvents = 10_000;

/** Parts of a pod that its objects do not determine. */
export interface PodParts {
  readonly ip: string;
  readonly record: RecordEvent;
}

/** The containers of one pod, which advance with the clock of the server. */
export class PodProcess {
  pod: JsonObject;
  rule: PodRule;
  readonly ip: string;
  readonly scheduledAt: number;
  containers: readonly ContainerProcess[] = [];
  /** Whether the image of the rule cannot be pulled, and no container runs yet. */
  isPulling = false;
  /** Whether a volume is missing. */
  problem: string | undefined;
  /** Whether the pod exceeded its deadline. */
  isExpired = false;
  /** Whether a container was started: the pod has an address. */
  hasStarted = false;
  /** Time at which the containers of a deleted pod are killed. */
  #killAt: number | undefined;
  #cluster: Cluster;
  #now = 0;
  readonly #record: RecordEvent;
  readonly #shared: WrittenFiles = new Map();

  constructor(cluster: Cluster, pod: JsonObject, rule: PodRule, { ip, record }: PodParts) {
    this.#record = record;
    this.#cluster = cluster;
    this.pod = pod;
    this.rule = rule;
    this.ip = ip;
    const started = Date.parse(text(pod, 'status', 'startTime'));
    this.scheduledAt = Number.isNaN(started) ? cluster.now() : started;
    this.#addContainers();
    this.hasStarted = resumed(this.containers, pod);
  }

  /** Advances to the current time. Returns the time of the next event, or `undefined`. */
  advance(cluster: Cluster, pod: JsonObject, rule: PodRule): number | undefined {
    const now = cluster.now();
    this.#cluster = cluster;
    this.pod = pod;
    this.rule = rule;
    this.#addContainers();
    let time = Math.min(this.#now === 0 ? this.scheduledAt : this.#now, now);
    for (let events = 0; events < mostEvents; events += 1) {
      this.#now = time;
      this.#settle(time);
      const next = this.#nextAt(time);
      if (next === undefined || next > now) {
        if (time === now) return next;
        time = now;
      } else time = Math.max(next, time);
      for (const container of this.containers) container.fire(time);
    }
    return now + 1;
  }

  /** Begins the termination of the containers. */
  terminate(graceMs: number): void {
    this.#killAt = Math.min(this.#killAt ?? Number.POSITIVE_INFINITY, this.#now + graceMs);
  }

  get isTerminating(): boolean {
    return this.#killAt !== undefined;
  }

  /** Whether no container runs, and none starts any more. */
  get isEnded(): boolean {
    if (this.containers.some(({ phase }) => phase === 'running')) return false;
    return this.isTerminating || this.isExpired || this.hasFailedInit || this.#isDone();
  }

  /** Whether an init container failed for good. */
  get hasFailedInit(): boolean {
    return this.containers.some((each) => each.role === 'init' && hasFailed(this.pod, each));
  }

  /** Whether all init containers have ended, and all sidecars have started. */
  get isInitialized(): boolean {
    return this.containers.every(
      (each) => (each.role !== 'init' && each.role !== 'sidecar') || isInitialized(each),
    );
  }

  /** Containers in the order in which they stop: sidecars after the others. */
  #lastFirst(): readonly ContainerProcess[] {
    const others = this.containers.filter(({ role }) => role !== 'sidecar');
    const isBusy = others.some(({ phase }) => phase === 'running');
    return isBusy ? others : this.containers;
  }

  #isDone(): boolean {
    const main = this.containers.filter(({ role }) => role === 'main');
    return main.every((each) => each.phase === 'ended' && !isRestarted(this.pod, each));
  }

  #addContainers(): void {
    for (const [role, spec] of rolesOf(this.pod)) {
      const name = text(spec, 'name');
      const known = this.containers.find((each) => each.name === name);
      if (known !== undefined) known.spec = spec;
      else {
        const process = this;
        const host = {
          get pod() {
            return process.pod;
          },
          get addressed() {
            return withAddresses(process.#cluster, process.pod, process.ip);
          },
          get rule() {
            return process.rule;
          },
          fileSystem: (item: Json, env: Environment['values']) => this.#fileSystem(item, env),
          record: (event: PodEvent) => this.#record(this.#cluster, this.pod, { ...event, container: name }),
          warn: (problem: unknown) => warn(this.pod, name, problem),
        };
        this.containers = [...this.containers, new ContainerProcess(host, role, spec)];
      }
    }
  }

  #fileSystem(container: Json, env: Environment['values']): FileSystem {
    return new FileSystem(
      () => this.#cluster,
      () => this.pod,
      container,
      env,
      this.#shared,
    );
  }

  #nextAt(time: number): number | undefined {
    const times = [
      ...this.containers.map((each) => each.nextAt(time)),
      ...this.containers.filter((each) => this.#mayRestart(each)).map((each) => each.restartAt),
      this.#deadlineAt(),
      this.#startAt() > time ? this.#startAt() : undefined,
    ];
    return earliest(times.filter((each) => each !== undefined));
  }

  #startAt(): number {
    return this.scheduledAt + (this.rule.startAfterMs ?? 0);
  }

  #mayRestart(container: ContainerProcess): boolean {
    if (container.phase !== 'ended' || this.isTerminating || this.isExpired) return false;
    if (container.role === 'sidecar') return !this.#isDone();
    return isRestarted(this.pod, container) && (container.role === 'init' || this.isInitialized);
  }

  #deadlineAt(): number | undefined {
    const seconds = own(object(this.pod, 'spec'), 'activeDeadlineSeconds');
    if (typeof seconds !== 'number' || this.isExpired || this.isEnded) return undefined;
    return this.scheduledAt + seconds * 1_000;
  }

  /** Starts, restarts and stops the containers whose time has come. */
  #settle(time: number): void {
    const deadline = this.#deadlineAt();
    if (deadline !== undefined && deadline <= time) this.isExpired = true;
    if (this.isTerminating || this.isExpired || this.hasFailedInit) {
      const own_ = number(this.pod, 30, 'spec', 'terminationGracePeriodSeconds') * 1_000;
      const grace = this.#killAt === undefined ? own_ : Math.max(this.#killAt - time, 0);
      for (const container of this.#lastFirst()) container.stop(time, grace);
      return;
    }
    if (this.containers.some(restartsAll))
      for (const container of this.containers) if (container.role !== 'ephemeral') container.reset(time);
    if (!this.#canStart(time)) return;
    this.#startInOrder(time);
    for (const container of this.containers) if (isChanged(container)) container.replace(time);
    if (this.#isDone()) this.#stopSidecars(time);
  }

  #stopSidecars(time: number): void {
    const grace = number(this.pod, 30, 'spec', 'terminationGracePeriodSeconds') * 1_000;
    for (const container of this.containers) if (container.role === 'sidecar') container.stop(time, grace);
  }

  #canStart(time: number): boolean {
    this.isPulling = !this.hasStarted && this.rule.pullError !== undefined;
    if (time < this.#startAt() || this.isPulling) return false;
    if (!this.hasStarted) this.problem = missingVolume(this.#cluster, this.pod);
    return this.problem === undefined;
  }

  #startInOrder(time: number): void {
    for (const container of this.containers) {
      const isFirst = container.role === 'init' || container.role === 'sidecar';
      this.#startOne(container, time);
      if (isFirst && !isInitialized(container)) return;
    }
  }

  #startOne(container: ContainerProcess, time: number): void {
    const isDue =
      container.phase === 'waiting' || (this.#mayRestart(container) && container.restartAt <= time);
    if (!isDue || (container.role === 'sidecar' && this.#isDone())) return;
    const isScripted = this.rule.run !== undefined || this.rule.handle !== undefined;
    const environment = isScripted
      ? environmentOf(
          this.#cluster,
          withAddresses(this.#cluster, this.pod, this.ip),
          container.spec,
          (volume, path) => this.#shared.get(`${volume}/${path}`)?.content,
        )
      : { values: {}, ...problemOf(missingSource(this.#cluster, this.pod, container.spec)) };
    container.problem =
      environment.problem ??
      userProblem(this.pod, container.spec, this.rule) ??
      (isScripted ? subPathProblem(container.spec, environment.values) : undefined);
    if (container.problem !== undefined)
      this.#record(this.#cluster, this.pod, {
        reason: 'Failed',
        type: 'Warning',
        message: `Error: ${container.problem}`,
      });
    this.hasStarted = true;
    if (container.problem === undefined) container.start(time, environment);
  }
}

function problemOf(problem: string | undefined): { readonly problem?: string } {
  return problem === undefined ? {} : { problem };
}

/** Returns the pod with its addresses, which its status does not have before its containers run. */
function withAddresses(cluster: Cluster, pod: JsonObject, own_: string): JsonObject {
  const hostIP = hostAddress(cluster.get(nodes, text(pod, 'spec', 'nodeName')));
  const ip = own(object(pod, 'spec'), 'hostNetwork') === true ? hostIP : own_;
  const addresses = { hostIP, hostIPs: [{ ip: hostIP }], podIP: ip, podIPs: [{ ip }] };
  return { ...pod, status: { ...object(pod, 'status'), ...addresses } };
}

function isInitialized(container: ContainerProcess): boolean {
  if (container.role === 'sidecar')
    return container.isStarted || (container.ends > 0 && container.phase !== 'waiting');
  return container.phase === 'ended' && container.end?.code === 0;
}

function hasFailed(pod: JsonObject, container: ContainerProcess): boolean {
  return container.phase === 'ended' && container.end?.code !== 0 && !isRestarted(pod, container);
}

/** Whether a running container has to restart: its image was changed, or its resources by its policy. */
function isChanged({ phase, spec, started }: ContainerProcess): boolean {
  if (phase !== 'running') return false;
  if (text(spec, 'image') !== text(started, 'image')) return true;
  return array(spec, 'resizePolicy').some((policy) => {
    if (text(policy, 'restartPolicy') !== 'RestartContainer') return false;
    const name = text(policy, 'resourceName');
    return ['requests', 'limits'].some(
      (list) =>
        !equal(own(object(spec, 'resources', list), name), own(object(started, 'resources', list), name)),
    );
  });
}

/** Returns the message for a container that must not run as root. */
function userProblem(pod: JsonObject, container: Json, { imageUser }: PodRule): string | undefined {
  const context = { ...object(pod, 'spec', 'securityContext'), ...object(container, 'securityContext') };
  if (own(context, 'runAsNonRoot') !== true) return undefined;
  const user = own(context, 'runAsUser');
  if (user === 0) return "container's runAsUser breaks non-root policy";
  return user === undefined && imageUser === 0
    ? 'container has runAsNonRoot and image will run as root'
    : undefined;
}

/** The error of a program is one of the test, which nothing can catch. */
function warn(pod: JsonObject, container: string, problem: unknown): void {
  const message = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  const name = `${text(pod, 'metadata', 'name')}/${container}`;
  process.emitWarning(`the program of ${name} failed: ${message}`, 'TestServerWarning');
}

/** Returns whether the containers of a pod refer to ConfigMaps or Secrets that are missing. */
export function isWaitingForObjects({ problem, containers, isEnded }: PodProcess): boolean {
  return !isEnded && (problem !== undefined || containers.some((each) => each.problem !== undefined));
}
