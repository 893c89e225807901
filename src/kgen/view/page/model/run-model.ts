/** Indices of a run: histories of objects, their owners, and the requests of reconciles. */
import type { ViewChange, ViewEvent, ViewReconcile, ViewRequest, ViewRun, ViewTarget } from '../../format.ts';
import { isRecord, metadataOf } from '../../secrets.ts';
import { isServiceVerb } from './texts.ts';

/** A state of an object. */
export interface ObjectState {
  readonly at: number;
  readonly change: ViewChange['change'] | 'write';
  readonly content: unknown;
  /** Number of the reconcile that has written it, if it is known. */
  readonly by?: number | undefined;
}

/** An object with its states, oldest first. */
export interface ObjectHistory {
  readonly id: string;
  readonly target: ViewTarget;
  readonly states: readonly ObjectState[];
  readonly isDeleted: boolean;
  /** Identities of its owners that are objects of the run. */
  readonly owners: readonly string[];
}

/** Indices of a run. */
export interface RunModel {
  readonly run: ViewRun;
  readonly objects: ReadonlyMap<string, ObjectHistory>;
  readonly children: ReadonlyMap<string, readonly ObjectHistory[]>;
  readonly reconciles: ReadonlyMap<number, ViewReconcile>;
  /** Requests of reconciles by their number. */
  readonly requests: ReadonlyMap<number, readonly ViewRequest[]>;
}

/** Returns the identity of an object in links. */
export function idOf({ group, resource, namespace, name }: ViewTarget): string {
  return JSON.stringify([group, resource, namespace, name]);
}

/** Returns the indices of a run. */
export function modelOf(run: ViewRun): RunModel {
  const histories = historiesOf(run.events);
  const owners = ownersOf(histories);
  const objects = new Map(
    [...histories].map(([id, { target, states }]): readonly [string, ObjectHistory] => {
      const isDeleted = states.at(-1)?.change === 'delete';
      return [id, { id, target, states, owners: owners.get(id) ?? [], isDeleted }];
    }),
  );
  return {
    run,
    objects,
    children: grouped([...objects.values()], ({ owners: [owner] }) => owner),
    reconciles: new Map(run.reconciles.map((reconcile) => [reconcile.number, reconcile])),
    requests: grouped(
      run.events.filter((event) => event.kind === 'request'),
      ({ reconcile }) => reconcile,
    ),
  };
}

interface MutableHistory {
  readonly target: ViewTarget;
  readonly states: ObjectState[];
}

function historiesOf(events: readonly ViewEvent[]): ReadonlyMap<string, MutableHistory> {
  const found = new Map<string, MutableHistory>();
  for (const event of events) {
    const state = stateOf(event);
    if (state === undefined || !('target' in event)) continue;
    const target = namedTarget(event.target, state.content);
    const id = idOf(target);
    const history = found.get(id) ?? { target, states: [] };
    found.set(id, history);
    add(history.states, state);
  }
  return found;
}

/** A creation may leave the choice of the name to the server. */
function namedTarget(target: ViewTarget, content: unknown): ViewTarget {
  const { name } = metadataOf(content);
  return target.name === '' && typeof name === 'string' ? { ...target, name } : target;
}

/** An informer repeats the state of a response. */
function add(states: ObjectState[], state: ObjectState): void {
  const version = versionOf(state.content);
  const known = states.findIndex(
    (other) => version !== undefined && versionOf(other.content) === version && state.change !== 'delete',
  );
  const same = states[known];
  if (same === undefined) states.push(state);
  else if (same.change === 'write') states[known] = { ...state, by: same.by, at: same.at };
}

function stateOf(event: ViewEvent): ObjectState | undefined {
  if (event.kind === 'change') return { at: event.at, change: event.change, content: event.content };
  if (event.kind !== 'request' || event.result !== 'done' || !isRecord(event.content)) return undefined;
  const { content, reconcile, until = event.at, verb } = event;
  if (isServiceVerb(verb)) return undefined;
  if (content['kind'] === 'Status' || versionOf(content) === undefined || verb === 'delete') return undefined;
  return { at: until, change: 'write', content, by: reconcile };
}

/** Returns the state of an object before a request. */
export function stateBefore(model: RunModel, { target, at, content }: ViewRequest): unknown {
  const version = versionOf(content);
  const states = model.objects.get(idOf(namedTarget(target, content)))?.states ?? [];
  return states.findLast((state) => state.at <= at && versionOf(state.content) !== version)?.content;
}

/** Returns the reconciles that have an object as their key, cause, or target of a write. */
export function reconcilesOf(model: RunModel, { target }: ObjectHistory): readonly ViewReconcile[] {
  const id = idOf(target);
  const { events, reconciles } = model.run;
  const isTouched = (reconcile: ViewReconcile): boolean =>
    (model.requests.get(reconcile.number) ?? []).some(
      (request) => request.isWrite && idOf(namedTarget(request.target, request.content)) === id,
    ) ||
    reconcile.causes.some(({ event = -1 }) => {
      const cause = events[event];
      return cause?.kind === 'change' && idOf(cause.target) === id;
    });
  return reconciles.filter(isTouched);
}

function grouped<T, K>(items: readonly T[], keyOf: (item: T) => K | undefined): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the owners of objects; none for one that would own itself. */
function ownersOf(histories: ReadonlyMap<string, MutableHistory>): ReadonlyMap<string, readonly string[]> {
  const byUid = new Map(
    [...histories].flatMap(([id, { states }]) => {
      const uid = metadataOf(states.at(-1)?.content)['uid'];
      return typeof uid !== 'string' ? [] : [[uid, id] as const];
    }),
  );
  const found = new Map<string, readonly string[]>();
  for (const [id, { states }] of histories) {
    const owners = ownerUids(states.at(-1)?.content).flatMap((uid) => byUid.get(uid) ?? []);
    let [above] = owners;
    while (above !== undefined && above !== id) above = found.get(above)?.[0];
    found.set(id, above === id ? [] : owners);
  }
  return found;
}

function versionOf(content: unknown): unknown {
  return metadataOf(content)['resourceVersion'];
}

function ownerUids(content: unknown): readonly string[] {
  const { ownerReferences } = metadataOf(content);
  return Array.isArray(ownerReferences)
    ? ownerReferences.flatMap((owner: unknown) =>
        isRecord(owner) && typeof owner['uid'] === 'string' ? [owner['uid']] : [],
      )
    : [];
}

/** Returns the status of a condition `Ready` or `Available`, or the phase; empty without one. */
export function healthOf(content: unknown): string {
  const status = isRecord(content) && isRecord(content['status']) ? content['status'] : {};
  const { conditions, phase } = status;
  const all = Array.isArray(conditions) ? conditions.filter(isRecord) : [];
  const main = all.find(({ type }) => type === 'Ready' || type === 'Available');
  if (main !== undefined) return `${String(main['type'])}: ${String(main['status'])}`;
  return typeof phase === 'string' ? phase : '';
}
