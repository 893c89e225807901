/** Options of a controller, checked and with their defaults. */

import type { Informer, KubernetesObject, Stored } from '@kgen/runtime';
import { exponentialRateLimiter, type RateLimiter } from '@kgen/runtime/queue';
import type { ReconcileKey } from '../runs/key.ts';
import { anyChange, desiredStateChanged } from '../sources/predicates.ts';
import { ownerKeys, ownKey, type Source } from '../sources/sources.ts';
import type {
  ControllerOptions,
  ForSource,
  OwnedSource,
  Reconcile,
  ReconcileByKey,
  WatchedSource,
} from './options.ts';

/** Functions of a controller. */
export type Work<C> =
  | {
      readonly type: 'object';
      readonly reconcile: Reconcile<KubernetesObject, C>;
      readonly finalize: Reconcile<KubernetesObject, C> | undefined;
      /** Finalizer of `finalize`, which is not added without it. */
      readonly finalizer: string;
      /** Finalizers of former versions, which are removed. */
      readonly former: readonly string[];
      /** Finalizer that former versions may have added, and that this one neither uses nor removes. */
      readonly abandoned: string | undefined;
    }
  | { readonly type: 'key'; readonly reconcile: ReconcileByKey<C> };

/** A controller without its types. */
export interface Setup<C> {
  readonly sources: readonly Source[];
  /** Informers of the reconciled objects by cluster; `undefined` for the only one. */
  readonly reconciled: ReadonlyMap<string | undefined, Informer<KubernetesObject>>;
  readonly work: Work<C>;
  readonly client: C;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly syncTimeoutMs: number;
  readonly resyncMs: number | undefined;
  /** Delays after failures; it counts the attempts. */
  readonly failures: RateLimiter;
  /** Delays after conflicts, which do not count as failed attempts. */
  readonly conflicts: RateLimiter;
}

/** Options without their types. */
type AnyOptions<C> = ControllerOptions<KubernetesObject, C, readonly KubernetesObject[]>;

/**
 * Checks the options, and returns the controller without its types, which exist at compile time only.
 * @throws {TypeError} if the options contradict each other, or functions are missing
 * @throws {RangeError} if a number is out of range
 */
export function setupOf<T extends KubernetesObject, C, W extends readonly unknown[]>(
  options: ControllerOptions<T, C, W>,
): Setup<unknown> {
  // Informers call handlers and functions of a controller with their own objects only.
  const untyped = options as unknown as AnyOptions<unknown>;
  checkOptions(untyped);
  const reconciled = forSources(untyped);
  const backoff = { baseMs: untyped.backoffBaseMs, maxMs: untyped.backoffMaxMs };
  return {
    sources: [
      ...reconciled.map(reconciledSource),
      ...(untyped.owns ?? []).map((owned) => ownedSource(sourceOf(owned), reconciled)),
      ...(untyped.watches ?? []).map((watched) => watchedSource(watched, untyped, reconciled)),
    ],
    reconciled: new Map(reconciled.map(({ cluster, informer }) => [cluster, informer])),
    work: workOf(untyped, reconciled),
    client: untyped.client,
    concurrency: untyped.concurrency ?? 1,
    timeoutMs: untyped.timeoutMs ?? 300_000,
    maxAttempts: untyped.maxAttempts ?? Number.POSITIVE_INFINITY,
    syncTimeoutMs: untyped.syncTimeoutMs ?? 120_000,
    resyncMs: untyped.resyncMs,
    failures: exponentialRateLimiter(backoff),
    conflicts: exponentialRateLimiter(backoff),
  };
}

/** @throws {TypeError | RangeError} if options are invalid: JavaScript callers may violate the types */
function checkOptions<C>(options: AnyOptions<C>): void {
  const { name } = options;
  if (typeof name !== 'string' || name === '') throw new TypeError('a controller needs a name');
  const problem = sourceProblem(options) ?? functionProblem(options);
  if (problem !== undefined) throw new TypeError(`controller ${name}: ${problem}`);
  checkNumbers(options);
}

function sourceProblem<C>(options: AnyOptions<C>): string | undefined {
  const reconciled = forSources(options);
  if (reconciled.length === 0) return 'for needs an informer';
  const clusters = new Set(reconciled.map(({ cluster }) => cluster));
  if (clusters.size < reconciled.length) return 'each informer of for needs another cluster';
  const owned = (options.owns ?? []).map(sourceOf);
  const informers = [...reconciled, ...owned, ...(options.watches ?? [])].map((source) => source?.informer);
  if (!informers.every(isInformer))
    return 'for, owns and watches need informers, such as informers.appsV1.deployments()';
  const anonymous = owned.find(({ informer }) => !hasMetadata(informer, 'ownerReferences'));
  if (anonymous !== undefined) return selectionProblem('owns', anonymous, 'ownerReferences');
  const unfinished = reconciled.find(({ informer }) => !hasMetadata(informer, 'finalizers'));
  const option = options.finalize === undefined ? 'formerFinalizers' : 'finalize';
  if (options[option] !== undefined && unfinished !== undefined)
    return selectionProblem(option, unfinished, 'finalizers');
  const foreign = owned.find(({ cluster }) => !clusters.has(cluster));
  return foreign && `owns ${foreign.informer.name}: no informer of for has its cluster ${foreign.cluster}`;
}

/** Returns whether the objects of an informer have a field of their metadata: whole ones have all. */
export function hasMetadata({ selection }: Informer<KubernetesObject>, field: string): boolean {
  const metadata = selection?.['metadata'];
  return selection === undefined || metadata === true || metadata?.[field] === true;
}

function selectionProblem(
  option: string,
  { informer }: { readonly informer: Informer<KubernetesObject> },
  field: string,
): string {
  return `${option} needs metadata.${field} of ${informer.name}: add it to select`;
}

function functionProblem<C>(options: AnyOptions<C>): string | undefined {
  const { reconcile, reconcileKey, finalize, finalizer, formerFinalizers, watches = [], owns = [] } = options;
  const given = [reconcile, reconcileKey].filter((work) => work !== undefined);
  if (given.length !== 1 || typeof given[0] !== 'function')
    return 'pass either reconcile or reconcileKey, a function';
  if (finalize !== undefined && typeof finalize !== 'function') return 'finalize is not a function';
  if (finalize !== undefined && reconcileKey !== undefined)
    return 'finalize needs reconcile, not reconcileKey';
  if (finalizer !== undefined && finalize === undefined) return 'finalizer needs finalize';
  if (formerFinalizers !== undefined && reconcileKey !== undefined)
    return 'formerFinalizers needs reconcile, not reconcileKey';
  if (!watches.every(({ map }) => typeof map === 'function')) return 'map of watches is not a function';
  const sources = [...forSources(options), ...owns.map(sourceOf), ...watches];
  const areFunctions = sources.every(
    ({ predicate }) => predicate === undefined || typeof predicate === 'function',
  );
  return areFunctions ? undefined : 'predicate is not a function';
}

function checkNumbers<C>(options: AnyOptions<C>): void {
  const { name, concurrency = 1, maxAttempts = 1, timeoutMs = 1, syncTimeoutMs = 1, resyncMs = 1 } = options;
  for (const [option, value] of Object.entries({ concurrency, maxAttempts })) {
    const isValid =
      (Number.isInteger(value) && value >= 1) || (option === 'maxAttempts' && value === Infinity);
    if (!isValid) throw new RangeError(`controller ${name}: ${option} must be an integer >= 1, got ${value}`);
  }
  for (const [option, value] of Object.entries({ timeoutMs, syncTimeoutMs, resyncMs })) {
    if (typeof value !== 'number' || !(value > 0))
      throw new RangeError(`controller ${name}: ${option} must be above 0, got ${value}`);
  }
}

function workOf<C>(options: AnyOptions<C>, [first]: readonly ForSource<KubernetesObject>[]): Work<C> {
  if (options.reconcileKey !== undefined) return { type: 'key', reconcile: options.reconcileKey };
  const { reconcile, finalize, name, formerFinalizers: former = [] } = options;
  const byDefault = `${first?.informer.resource.group ?? ''}/${name}`;
  const finalizer = options.finalizer ?? byDefault;
  if (finalize !== undefined && !isFinalizer(finalizer)) {
    throw new TypeError(
      `controller ${name}: ${JSON.stringify(finalizer)} is not a valid finalizer; pass one such as example.com/cleanup`,
    );
  }
  const own = finalize === undefined ? former : [finalizer, ...former];
  if (new Set(own).size < own.length)
    throw new TypeError(
      `controller ${name}: formerFinalizers repeats one, or contains the present finalizer`,
    );
  const abandoned = own.includes(byDefault) ? undefined : byDefault;
  return { type: 'object', reconcile, finalize, finalizer, former, abandoned };
}

/** Servers reject finalizers without a domain in new objects of most kinds. */
function isFinalizer(finalizer: string): boolean {
  const [domain = '', name = '', ...more] = finalizer.split('/');
  const isDomain = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(domain) && domain.length <= 253;
  return more.length === 0 && isDomain && /^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(name);
}

type AnySource<T> = Informer<T> | { readonly informer: Informer<T> };

function forSources<T>(options: { readonly for: Informer<T> | ForSource<T> | readonly ForSource<T>[] }) {
  const given = options.for;
  const list: readonly (Informer<T> | ForSource<T>)[] = Array.isArray(given) ? given : [given];
  return list
    .filter((source) => source !== undefined && source !== null)
    .map((source) => sourceOf<T>(source));
}

function sourceOf<T>(source: Informer<T> | ForSource<T>): ForSource<T> {
  return isInformer(source) ? { informer: source } : source;
}

function isInformer<T>(source: AnySource<T>): source is Informer<T> {
  return typeof source === 'object' && source !== null && 'handle' in source;
}

function reconciledSource({ informer, predicate, cluster }: ForSource<KubernetesObject>): Source {
  return {
    informer,
    predicate: predicate ?? desiredStateChanged,
    keysOf: (object) => [ownKey(object, cluster)],
    isReconciled: true,
  };
}

function ownedSource(
  { informer, predicate, cluster }: OwnedSource<KubernetesObject>,
  reconciled: readonly ForSource<KubernetesObject>[],
): Source {
  const owner = reconciled.find((source) => source.cluster === cluster);
  const { group = '', kind = '', scope } = owner?.informer.resource ?? {};
  const isNamespaced = scope !== 'Cluster';
  if (kind === '') {
    throw new TypeError(
      `owns ${informer.name}: the kind of the reconciled objects is unknown; create their informer from a generated descriptor`,
    );
  }
  return {
    informer,
    predicate: predicate ?? anyChange,
    keysOf: (object: Stored<KubernetesObject>) => ownerKeys(object, { group, kind, isNamespaced, cluster }),
    isReconciled: false,
  };
}

function watchedSource(
  { informer, map, predicate }: WatchedSource<KubernetesObject>,
  { reconcileKey }: AnyOptions<unknown>,
  reconciled: readonly ForSource<KubernetesObject>[],
): Source {
  // Keys of reconcileKey need not be those of objects.
  const problemOf =
    reconcileKey === undefined ? (key: ReconcileKey) => scopeProblem(key, reconciled) : undefined;
  return { informer, predicate: predicate ?? anyChange, keysOf: map, problemOf, isReconciled: false };
}

/** Returns why no object can have a key. Types exclude keys without a namespace, but not in JavaScript. */
function scopeProblem(
  { cluster, namespace, name }: ReconcileKey,
  reconciled: readonly ForSource<KubernetesObject>[],
): string | undefined {
  const { scope, resource } =
    reconciled.find((source) => source.cluster === cluster)?.informer.resource ?? {};
  const key = JSON.stringify({ namespace, name });
  if (scope === 'Namespaced' && namespace === '')
    return `map returned ${key}, but ${resource} are namespaced: return { namespace, name }`;
  if (scope === 'Cluster' && namespace !== '')
    return `map returned ${key}, but ${resource} have no namespace: return { namespace: '', name }`;
  return undefined;
}
