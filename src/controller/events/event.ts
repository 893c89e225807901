/** Types of events: those of callers, and the objects of `events.k8s.io/v1` that are sent. */
import type { MicroTime, ObjectMeta } from '@kgen/runtime';

/** Severity of an event: `Normal` or `Warning`. */
export type EventType = 'Normal' | 'Warning';

/** An object that an event refers to: one that was read from a server, or created with these members. */
export interface EventObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: Pick<ObjectMeta, 'name' | 'namespace' | 'uid'> | undefined;
}

/** An event that a program reports. */
export interface EventToRecord {
  /** Object that the event is about: with `apiVersion`, `kind` and `metadata.name`. */
  readonly regarding: EventObject;
  /** Second object of the event, such as the created Pod. Default: none. */
  readonly related?: EventObject | undefined;
  readonly type: EventType;
  /** Cause of the action, for machines: `Deployed`. At most 128 bytes of UTF-8; the rest is cut off. */
  readonly reason: string;
  /** Action of the controller, for machines: `Reconcile`. At most 128 bytes of UTF-8; the rest is cut off. */
  readonly action: string;
  /** Description for people. At most 1024 bytes of UTF-8; the rest is replaced by `…`. */
  readonly note: string;
}

/** Reference of an event to an object, without its resource version. */
export interface EventReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

/** Repetitions of an event. */
export interface EventRepetitions {
  /** Number of occurrences, the first one included; at least 2. */
  readonly count: number;
  readonly lastObservedTime: MicroTime;
}

/** An `Event` of `events.k8s.io/v1`. */
export interface EventV1 {
  readonly apiVersion: 'events.k8s.io/v1';
  readonly kind: 'Event';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly eventTime: MicroTime;
  readonly type: EventType;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: EventReference;
  readonly related?: EventReference;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly series?: EventRepetitions;
}
