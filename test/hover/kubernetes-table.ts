import type { HoverRow } from './table.ts';

/** Declarations for the statements. */
export const prelude: string = `
import { RESTClient, resource } from '@kgen/runtime';
import type { ClusterConfig } from '@kgen/runtime';
import { Clientset, InformerFactory } from './kubernetes/index.js';
import { manifest } from '@kgen/runtime/manifests';
import { podExec, pods } from './kubernetes/core/v1/index.js';
import { catalog } from './kubernetes/catalog.js';
import type { paths } from './kubernetes/paths.js';
declare const clientset: Clientset;
declare const config: ClusterConfig;
declare const informers: InformerFactory;
const rest = new RESTClient<paths>(config);
const pod = await clientset.coreV1.pods('shop').get('web');
const named = { path: { namespace: 'shop', name: 'web' } };
const podInformer = informers.coreV1.pods({ namespace: 'shop' });
const small = informers.coreV1.pods({ select: { spec: { nodeName: true } } });
const [smallPod] = small.lister.list();
const reviews = clientset.authorizationV1.selfSubjectAccessReviews();
`.trim();

/** Frequently used parts of the built-in API. */
export const rows: readonly HoverRow[] = [
  { at: 'clientset.^coreV1;', shows: '(property) Clientset.coreV1: CoreV1Client' },
  {
    at: `clientset.coreV1.^pods('shop');`,
    shows: '(method) CoreV1Client.pods(namespace: string): PodClient (+1 overload)',
  },
  {
    at: 'clientset.coreV1.^pods();',
    shows: '(method) CoreV1Client.pods(): AllNamespaces<Pod, PodList, PodSelectableField> (+1 overload)',
  },
  {
    at: `clientset.coreV1.pods('shop').^get('web');`,
    shows: '(method) Get<Pod>.get(name: string, options?: GetOptions): Promise<Stored<Pod>>',
  },
  {
    at: `clientset.coreV1.pods('shop').^getLog('web');`,
    shows:
      '(method) ReadLog<PodLogOptions>.getLog(name: string, options?: (PodLogOptions & LogOptions & RequestOptions) | undefined): Promise<string>',
  },
  {
    at: `clientset.coreV1.pods('shop').^evict('web');`,
    shows:
      '(method) Evict<Eviction>.evict(name: string, eviction?: Eviction | undefined, options?: WriteOptions<"All" | undefined>): Promise<Status>',
  },
  {
    at: `clientset.appsV1.deployments('shop').^getScale('web');`,
    shows: '(method) WriteScale.getScale(name: string, options?: GetOptions): Promise<Stored<Scale>>',
  },
  {
    at: `reviews.^create({ spec: {} });`,
    shows:
      '(method) CreateOnly<SelfSubjectAccessReview>.create(object: SelfSubjectAccessReview, options?: WriteOptions<"All" | undefined>): Promise<SelfSubjectAccessReview>',
  },
  {
    at: `^manifest(pods, { metadata: { name: 'web' } });`,
    shows:
      '(alias) manifest<Pod>(resource: Resource<TypesWith<Pod>>, object: NoInfer<Pod>): Manifest<Pod>\nimport manifest',
  },
  { at: '^pod;', shows: 'const pod: Stored<Pod>' },
  { at: 'pod.spec.^containers;', shows: '(property) PodSpec.containers: ListMap<Container, "name">' },
  {
    at: 'pod.spec.^restartPolicy;',
    shows: '(property) PodSpec.restartPolicy?: "Always" | "Never" | "OnFailure" | (string & {}) | undefined',
  },
  {
    at: `resource(rest, ^pods);`,
    shows: '(alias) const pods: NamespacedResource<Pod, PodList, PodClient, PodSelectableField>\nimport pods',
  },
  {
    at: 'informers.coreV1.^pods();',
    shows:
      '(method) CoreV1Informers.pods(options?: InformerOptions<Pod, PodSelectableField>): PodInformer (+1 overload)',
  },
  { at: '^podInformer;', shows: 'const podInformer: PodInformer' },
  {
    at: '^small;',
    shows:
      'const small: SelectedInformer<Pod, {\n    readonly spec: {\n        readonly nodeName: true;\n    };\n}>',
  },
  {
    at: 'smallPod?.^spec;',
    shows: '(property) spec: {\n    nodeName?: string | undefined | undefined;\n} | undefined',
  },
  { at: 'smallPod?.metadata.^uid;', shows: '(property) uid: string | undefined' },
  {
    at: 'podInformer.handle({ add(^it, { isInitial }) {} });',
    shows: '(parameter) it: Stored<Pod>',
  },
  {
    at: 'podInformer.handle({ update(it, ^old) {} });',
    shows: '(parameter) old: Stored<Pod>',
  },
  {
    at: 'podInformer.handle({ ^delete(it, { missed }) {} });',
    shows: '(method) InformerHandlers<Pod>.delete?(object: Stored<Pod>, info: DeleteInfo): unknown',
  },
  {
    at: `podInformer.lister.^get('shop', 'web');`,
    shows: '(method) NamespacedLister<Pod>.get(namespace: string, name: string): Stored<Pod> | undefined',
  },
  {
    at: 'podInformer.handle({ add(it, ^info) {} });',
    shows: '(parameter) info: AddInfo',
  },
  {
    at: `podInformer.lister.^list({ labelSelector: 'app=web' });`,
    shows: '(method) NamespacedLister<Pod>.list(options?: NamespacedListerOptions): readonly Stored<Pod>[]',
  },
  {
    at: `podInformer.^addIndex('node', (it) => [it.spec.nodeName ?? '']);`,
    shows:
      '(method) Informer<Pod, PodLister>.addIndex(name: string, valuesOf: IndexFunction<Stored<Pod>>): InformerIndex<Stored<Pod>>',
  },
  {
    at: `informers.coreV1.nodes().lister.^get('n1');`,
    shows: '(method) ClusterLister<Node>.get(name: string): Stored<Node> | undefined',
  },
  {
    at: `informers.^of(pods);`,
    shows:
      '(method) InformerFactoryBase.of<Pod, PodList, PodClient, PodSelectableField>(resource: NamespacedResource<Pod, PodList, PodClient, PodSelectableField>, options?: InformerOptions<Pod, PodSelectableField> | undefined): Informer<Pod, NamespacedLister<Pod>> (+8 overloads)',
  },
  {
    at: `informers.^metadataOf(pods);`,
    shows:
      '(method) InformerFactoryBase.metadataOf<NamespacedResource<Pod, PodList, PodClient, PodSelectableField>>(resource: NamespacedResource<Pod, PodList, PodClient, PodSelectableField>, options?: InformerOptions<PartialObjectMetadata, PodSelectableField> | undefined): Informer<PartialObjectMetadata, NamespacedLister<PartialObjectMetadata>> (+8 overloads)',
  },
  {
    at: `informers.^metadataOf({ group: '', version: 'v1', resource: 'secrets' });`,
    shows:
      '(method) InformerFactoryBase.metadataOf(resource: NamespacedResourceName | MappedResource, options?: InformerOptions<PartialObjectMetadata>): Informer<PartialObjectMetadata, NamespacedLister<PartialObjectMetadata>> (+8 overloads)',
  },
  {
    at: `informers.^of({ group: 'a.b', version: 'v1', resource: 'odds' });`,
    shows:
      '(method) InformerFactoryBase.of(resource: NamespacedResourceName | MappedResource, options?: InformerOptions<Unstructured>): Informer<Unstructured, NamespacedLister<Unstructured>> (+8 overloads)',
  },
  {
    at: `informers.^of({ group: 'a.b', version: 'v1', resource: 'odds', scope: 'Cluster' });`,
    shows:
      '(method) InformerFactoryBase.of(resource: ClusterResourceName, options?: ClusterInformerOptions<Unstructured>): Informer<Unstructured, ClusterLister<Unstructured>> (+8 overloads)',
  },
  {
    at: 'informers.^waitForSync();',
    shows: '(method) InformerFactoryBase.waitForSync(options?: WaitForSyncOptions): Promise<void>',
  },
  {
    at: `informers.^on('error', (error, { informer, during }) => {});`,
    shows:
      '(method) InformerFactoryBase.on(event: "error", listener: (error: unknown, context: InformerErrorContext) => void): () => void (+1 overload)',
  },
  { at: 'podInformer.^stats();', shows: '(method) Informer<Pod, PodLister>.stats(): InformerStats' },
  { at: '^podExec;', shows: '(alias) const podExec: ConnectResource<PodExecOptions>\nimport podExec' },
  { at: `^catalog['apps/v1/Deployment'];`, shows: '(alias) const catalog: Catalog\nimport catalog' },
  {
    at: `rest.^get('/api/v1/namespaces/{namespace}/pods/{name}', named);`,
    shows:
      '(property) RESTClient<paths>.get: <"/api/v1/namespaces/{namespace}/pods/{name}">(path: "/api/v1/namespaces/{namespace}/pods/{name}", options: RequestOptions & {\n    readonly path: {\n        name: string;\n        namespace: string;\n    };\n} & {\n    readonly query?: {\n        pretty?: string;\n    };\n} & {\n    readonly contentType?: never;\n    readonly body?: never;\n}) => Promise<Pod>',
  },
];
