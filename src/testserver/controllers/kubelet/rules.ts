/** Rules of the behaviour of simulated pods. */
import { array, at, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { ActionHandler, ContainerProgram } from './programs.ts';

/** Pods to which a rule applies. A pod has to match every member. */
export interface PodMatch {
  readonly namespace?: string;
  /** Name of the pod; `*` stands for any characters. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Image of a container; `*` stands for any characters. */
  readonly image?: string;
  /** Kind of the controlling owner, such as `Job`. */
  readonly controller?: string;
}

/**
 * Behaviour of pods. Without a rule they are scheduled, running and ready at once; pods of Jobs then end with
 * exit code 0.
 */
export interface PodRule {
  /** Pods to which the rule applies. Default: all pods. */
  readonly match?: PodMatch;
  /** Milliseconds until the pod is scheduled. Default: 0. */
  readonly scheduleAfterMs?: number;
  /** The pod is never scheduled. The value is the message of its condition `PodScheduled`. */
  readonly unschedulable?: string;
  /** Milliseconds from scheduling until its containers run. Default: 0. */
  readonly startAfterMs?: number;
  /**
   * The containers never run, because their image cannot be pulled. The value is the message of that state.
   */
  readonly pullError?: string;
  /** Milliseconds until running containers are ready. Default: 0. `false`: never. */
  readonly readyAfterMs?: number | false;
  /** The containers end. With a `restartPolicy` that restarts them, this is a crash loop. */
  readonly exit?: {
    /** Milliseconds after the start. Default: 0. */
    readonly afterMs?: number;
    /** Default: 0. */
    readonly code?: number;
    /** Reason of the state. Default: `Completed`, or `Error`. */
    readonly reason?: string;
    readonly message?: string;
    /** Number of ends, after which the containers keep running. Default: unlimited. */
    readonly times?: number;
  };
  /** Milliseconds until the containers of a deleted pod end, at most its grace period. Default: 0. */
  readonly terminateAfterMs?: number;
  /**
   * Main process of each container, in place of `exit` and `terminateAfterMs`. Default: it runs until the
   * pod is deleted.
   */
  readonly run?: ContainerProgram;
  /** Handles probes, hooks and commands of `exec`. Default: probes do not count, and hooks succeed. */
  readonly handle?: ActionHandler;
  /** User of the image, which `runAsNonRoot` forbids if it is 0. Default: another user. */
  readonly imageUser?: number;
}

const jobRule: PodRule = { match: { controller: 'Job' }, exit: {} };

/** The behaviour in a rule. */
type BehaviourOfPods = Omit<PodRule, 'match'>;

/** Rules of pods, of which the first that matches counts. */
export class PodRules {
  readonly #rules: PodRule[];
  readonly #changes: BehaviourOfPods[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(rules: readonly PodRule[]) {
    this.#rules = [...rules];
  }

  /** Adds a rule before all others, and returns the function that removes it. */
  add(rule: PodRule): () => void {
    return this.#begin(this.#rules, rule);
  }

  /** Changes the behaviour of all pods, and returns the function that ends it. The last change counts. */
  change(behaviour: BehaviourOfPods): () => void {
    return this.#begin(this.#changes, behaviour);
  }

  /** Returns the rule of a pod. */
  of(pod: JsonObject): PodRule {
    const rule = [...this.#rules, jobRule].find((each) => matches(each.match ?? {}, pod)) ?? {};
    const [change] = this.#changes;
    return change === undefined ? rule : { ...rule, ...change };
  }

  /** Calls `listener` after every change of the rules. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Adds an item before all others, and returns the function that removes it. */
  #begin<T>(items: T[], item: T): () => void {
    items.unshift(item);
    this.#notify();
    return () => {
      const index = items.indexOf(item);
      if (index < 0) return;
      items.splice(index, 1);
      this.#notify();
    };
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function matches(match: PodMatch, pod: JsonObject): boolean {
  const metadata = object(pod, 'metadata');
  const labels = object(metadata, 'labels');
  const images = array(pod, 'spec', 'containers').map((container) => text(container, 'image'));
  const owner = array(metadata, 'ownerReferences').find((item) => own(item, 'controller') === true);
  const { name, image } = match;
  return (
    (match.namespace === undefined || match.namespace === text(metadata, 'namespace')) &&
    (name === undefined || isLike(text(metadata, 'name'), name)) &&
    (image === undefined || images.some((each) => isLike(each, image))) &&
    (match.controller === undefined || match.controller === text(owner, 'kind')) &&
    Object.entries(match.labels ?? {}).every(([key, value]) => at(labels, key) === value)
  );
}

function isLike(value: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
}
