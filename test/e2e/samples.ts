import type { Informer, KubernetesList, KubernetesObject, NamespacedLister, Stored } from '@kgen/runtime';
import type { CustomCrud, CustomWriteStatus, WithName } from '@kgen/runtime/client';
import type { RedisCluster, RedisClusterList } from '../../generated/crds/cache.example.com/v1/index.ts';
import type { Showcase, ShowcaseList } from '../../generated/crds/features.example.com/v2/index.ts';
import type { Clientset, InformerFactory } from '../../generated/crds/index.ts';
import type { MyApp, MyAppList } from '../../generated/crds/my.domain/v1/index.ts';
import type { Foo, FooList } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';

/** Verbs of all samples. */
export type SampleClient<T, L> = CustomCrud<T, L> & CustomWriteStatus<T>;

/** A sample kind, for tests that hold for all of them. */
export interface Sample<T extends KubernetesObject, L extends KubernetesList<Stored<T>>> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  client(clientset: Clientset, namespace: string): SampleClient<T, L>;
  /** Creates an object whose desired state is `wanted`. */
  make(name: string, expected: number, labels?: Record<string, string>): WithName<T>;
  /** Returns the desired state of an object, as passed to `make`. */
  expected(object: T): number;
  /** Returns the object with another desired state. */
  change(object: Stored<T>, expected: number): Stored<T>;
  /** Returns the object with an observed state. */
  observe(object: Stored<T>, observed: number): Stored<T>;
  /** Returns the observed state of an object; `undefined` if it has none. */
  observed(object: T): number | undefined;
}

/** A namespaced sample kind. */
export interface NamespacedSample<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>
  extends Sample<T, L> {
  informer(factory: InformerFactory): Informer<T, NamespacedLister<T>>;
}

function metadata(
  name: string,
  labels: Record<string, string> | undefined,
): { name: string; labels?: Record<string, string> } {
  return labels === undefined ? { name } : { name, labels };
}

export const myApps: NamespacedSample<MyApp, MyAppList> = {
  apiVersion: 'my.domain/v1',
  kind: 'MyApp',
  plural: 'myapps',
  namespaced: true,
  client: (clientset, namespace) => clientset.myV1.myApps(namespace),
  informer: (factory) => factory.myV1.myApps(),
  make: (name, expected, labels) => ({
    metadata: metadata(name, labels),
    spec: { appName: name, version: String(expected) },
  }),
  expected: ({ spec }) => Number(spec.version),
  change: (object, expected) => ({ ...object, spec: { ...object.spec, version: String(expected) } }),
  observe: (object, observed) => ({ ...object, status: { observedGeneration: observed } }),
  observed: ({ status }) => status?.observedGeneration,
};

export const foos: NamespacedSample<Foo, FooList> = {
  apiVersion: 'samplecontroller.c9g.io/v1alpha1',
  kind: 'Foo',
  plural: 'foos',
  namespaced: true,
  client: (clientset, namespace) => clientset.samplecontrollerV1alpha1.foos(namespace),
  informer: (factory) => factory.samplecontrollerV1alpha1.foos(),
  make: (name, expected, labels) => ({
    metadata: metadata(name, labels),
    spec: { image: 'nginx:1.27', replicas: expected },
  }),
  expected: ({ spec }) => spec?.replicas ?? Number.NaN,
  change: (object, expected) => ({ ...object, spec: { image: 'nginx:1.27', replicas: expected } }),
  observe: (object, observed) => ({ ...object, status: { availableReplicas: observed } }),
  observed: ({ status }) => status?.availableReplicas,
};

export const redisClusters: NamespacedSample<RedisCluster, RedisClusterList> = {
  apiVersion: 'cache.example.com/v1',
  kind: 'RedisCluster',
  plural: 'redisclusters',
  namespaced: true,
  client: (clientset, namespace) => clientset.cacheV1.redisClusters(namespace),
  informer: (factory) => factory.cacheV1.redisClusters(),
  make: (name, expected, labels) => ({
    metadata: metadata(name, labels),
    spec: { version: '7.4', replicas: expected },
  }),
  expected: ({ spec }) => spec.replicas ?? Number.NaN,
  change: (object, expected) => ({ ...object, spec: { ...object.spec, replicas: expected } }),
  observe: (object, observed) => ({ ...object, status: { phase: 'Running', readyReplicas: observed } }),
  observed: ({ status }) => status?.readyReplicas,
};

export const showcases: Sample<Showcase, ShowcaseList> = {
  apiVersion: 'features.example.com/v2',
  kind: 'Showcase',
  plural: 'showcases',
  namespaced: false,
  client: (clientset) => clientset.featuresV2.showcases(),
  make: (name, expected, labels) => ({
    metadata: metadata(name, labels),
    spec: { color: 'red', nothing: null, numbers: { count: expected } },
  }),
  expected: ({ spec }) => spec?.numbers?.count ?? Number.NaN,
  change: (object, expected) => ({
    ...object,
    spec: { color: 'red', nothing: null, ...object.spec, numbers: { count: expected } },
  }),
  observe: (object, observed) => ({ ...object, status: { count: observed } }),
  observed: ({ status }) => status?.count,
};
