import type { Guarantee } from './helpers.ts';

/** Declarations for the statements, over the built-in API and a type with every shape. */
export const prelude: string = `
import { InformerFactory as RuntimeFactory, type InformerObject, type NamespacedLister, type Selected, type FieldSelection, type Stored } from '@kgen/runtime';
import type { ListMap, NamespacedResource } from '@kgen/runtime/client';
import type { ConfigMapClient, Pod, PodClient } from './kubernetes/core/v1/index.js';
import { nodes, pods } from './kubernetes/core/v1/index.js';
import type { CustomResourceDefinition } from './kubernetes/apiextensions.k8s.io/v1/index.js';
import type { ObjectMeta } from '@kgen/runtime';
import { InformerFactory } from './kubernetes/index.js';
interface Tree { value?: string; children?: Tree[]; named?: { [name: string]: Tree } }
interface Server { port: number; hosts?: string[]; tls?: { secret: string } }
interface ShapesSpec {
  scalar: string;
  flag?: boolean;
  port?: number | string;
  phase?: 'A' | 'B' | (string & {});
  any?: unknown;
  open?: { known?: string; [key: string]: unknown };
  list?: string[];
  servers?: Server[];
  keyed?: ListMap<Server, 'port'>;
  matrix?: Server[][];
  labels?: { [key: string]: string };
  byName?: { [name: string]: Server };
  listsByName?: { [name: string]: Server[] };
  either?: Server | { socket: string };
  serverOrFlag?: Server | boolean;
  one?: Server | Server[];
  tree?: Tree;
}
interface Shapes { apiVersion?: 'a.b/v1'; kind?: 'Shapes'; metadata?: ObjectMeta; spec?: ShapesSpec; status?: { ready?: boolean } }
interface ShapesList { metadata: { resourceVersion?: string }; items: Stored<Shapes>[] }
declare const shapes: NamespacedResource<Shapes, ShapesList, unknown>;
declare const informers: InformerFactory;
declare const podClient: PodClient;
declare const configClient: ConfigMapClient;
declare function pick<const S extends FieldSelection<ShapesSpec>>(select: S): NonNullable<InformerObject<ReturnType<typeof of<S>>>['spec']>;
declare function of<const S extends FieldSelection<ShapesSpec>>(select: S): import('@kgen/runtime').Informer<Selected<Shapes, { readonly spec: S }>>;
declare function same<A, B>(yes: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false): void;
const select = { metadata: { labels: true }, spec: { nodeName: true, containers: { image: true, resources: true } }, status: { phase: true } } as const;
const small = informers.coreV1.pods({ select });
declare const pod: InformerObject<typeof small>;
const configs = informers.coreV1.configMaps({ select: { data: true } });
declare const config: InformerObject<typeof configs>;
`.trim();

/** Returns a statement that reads members of a selection over every shape. */
const picks = (select: string, reads: string): string => `const spec = pick(${select}); ${reads}`;

export const guarantees: readonly Guarantee[] = [
  {
    guarantee: 'a selected object has the selected fields only',
    accepts: [
      'same<typeof pod.spec.nodeName, string | undefined>(true);',
      'const image: string | undefined = pod.spec.containers[0]?.image; console.log(image);',
      "console.log(pod.spec.containers[0]?.resources?.limits?.['cpu'], pod.metadata.labels?.['app']);",
      "same<typeof pod.status.phase, Stored<Pod>['status']['phase']>(true);",
    ],
    rejects: [
      'console.log(pod.spec.volumes);',
      'console.log(pod.spec.containers[0]?.name);',
      'console.log(pod.metadata.annotations);',
      'console.log(pod.status.podIP);',
      'console.log(config.binaryData);',
    ],
  },
  {
    guarantee: 'a selected object has its identity',
    accepts: [
      "same<typeof config.kind, 'ConfigMap'>(true); same<typeof config.apiVersion, 'v1'>(true);",
      'const { name, namespace, uid, resourceVersion, creationTimestamp } = config.metadata; [name, namespace, uid, resourceVersion, creationTimestamp] satisfies string[];',
      'same<typeof config.metadata.deletionTimestamp, string | undefined>(true);',
      'const node = informers.coreV1.nodes({ select: {} }).lister.get("a"); node?.metadata.namespace satisfies undefined;',
      'const object = new RuntimeFactory(informers).of({ group: "a.b", version: "v1", resource: "odds" }, { select: { spec: { size: true } } }).lister.get("a", "b"); object?.metadata.uid satisfies string | undefined; object?.["spec"] satisfies unknown;',
    ],
    rejects: ['config.metadata.generation;', 'config.metadata.ownerReferences;'],
  },
  {
    guarantee: 'informers, listers, indices, handlers and transforms have selected objects',
    accepts: [
      'small.handle({ add: ({ spec }) => spec.nodeName, update: (now, old) => [now.status.phase, old.status.phase], delete: ({ metadata }) => metadata.uid });',
      "small.addIndex('node', ({ spec }) => [spec.nodeName ?? '']).get('n')[0]?.status.phase satisfies string | undefined;",
      "small.lister.list({ namespace: 'shop' })[0]?.spec.nodeName satisfies string | undefined;",
      'informers.of(pods, { select: { spec: { nodeName: true } }, transform: (object) => ({ ...object, spec: { nodeName: "x" } }) });',
      'informers.of(nodes, { select: { spec: true }, onEveryChange: true }).lister.get("a")?.spec.podCIDR satisfies string | undefined;',
      'informers.metadataOf(pods, { select: { metadata: { labels: true } } }).lister.get("a", "b")?.metadata.labels satisfies { [key: string]: string } | undefined;',
      "informers.coreV1.pods({ select: { spec: { nodeName: true } }, namespace: 'shop', fieldSelector: { 'spec.nodeName': 'n' } });",
      'const lister: NamespacedLister<Selected<Pod, typeof select>> = small.lister; console.log(lister);',
    ],
    rejects: [
      'small.handle({ add: ({ spec }) => spec.volumes });',
      "small.addIndex('ip', ({ status }) => [status.podIP ?? '']);",
      'informers.of(pods, { select: { spec: { nodeName: true } }, transform: ({ spec }) => spec.volumes });',
      'informers.metadataOf(pods, { select: { metadata: { labels: true } } }).lister.get("a", "b")?.metadata.annotations;',
      'informers.coreV1.pods({ onEveryChange: true });',
      'informers.coreV1.nodes({ select: { spec: true }, namespace: "shop" });',
    ],
  },
  {
    guarantee: 'lists, iterations and watches have selected objects, and whole ones without a selection',
    accepts: [
      'const { items, metadata } = await podClient.list({ select, limit: 5, labelSelector: { app: "a" } }); same<typeof items[0], Stored<Selected<Pod, typeof select>>>(true); metadata.continue satisfies string | undefined;',
      'for await (const { spec, status } of podClient.iterate({ select: { spec: { nodeName: true }, status: true }, pageSize: 5 })) [spec.nodeName, status.podIP] satisfies unknown[];',
      'for await (const { type, object } of podClient.watch({ select: { spec: { containers: { image: true } } } })) [type, object.spec.containers[0]?.image, object.metadata.uid] satisfies unknown[];',
      'for await (const event of podClient.watch({ select: {}, bookmarks: true })) if (event.type !== "BOOKMARK") event.object.metadata.name satisfies string;',
      '(await podClient.list()).items[0]?.spec.volumes; (await podClient.list({ limit: 1 })).items[0]?.status.podIP;',
      'for await (const { object } of podClient.watch()) object.spec.volumes satisfies unknown;',
      '(await podClient.find("a"))?.spec.volumes; (await podClient.get(pod.metadata.name)).spec.volumes;',
      'informers.metadataOf({ group: "a.b", version: "v1", resource: "odds" }, { select: { metadata: { labels: true } } }).lister.get("a", "b")?.metadata.labels satisfies { [key: string]: string } | undefined;',
    ],
    rejects: [
      '(await podClient.list({ select })).items[0]?.spec.volumes;',
      'for await (const { spec } of podClient.iterate({ select: { spec: { nodeName: true } } })) spec.volumes;',
      'for await (const { object } of podClient.watch({ select: { spec: { nodeName: true } } })) object.status;',
      'await podClient.list({ select: { spec: { nodename: true } } });',
      'podClient.watch({ select: { status: { phase: false } } });',
      'await podClient.list({ select: { spec: true }, labelSelektor: "a" });',
      'for (const item of (await podClient.list({ select })).items) await podClient.update(item);',
      'informers.metadataOf({ group: "a.b", version: "v1", resource: "odds" }, { select: { metadata: { labels: true } } }).lister.get("a", "b")?.metadata.annotations;',
    ],
  },
  {
    guarantee: 'a selection names existing fields with true or an object',
    accepts: [
      'informers.coreV1.pods({ select: {} });',
      'informers.coreV1.pods({ select: { metadata: true, spec: true, status: true } });',
    ],
    rejects: [
      'informers.coreV1.pods({ select: { spec: { nodename: true } } });',
      'informers.coreV1.pods({ select: { spec: { nodeName: false } } });',
      'informers.coreV1.pods({ select: { spec: { nodeName: { value: true } } } });',
      "informers.coreV1.pods({ select: { spec: 'nodeName' } });",
      'informers.coreV1.pods({ select: { spec: { containers: [{ image: true }] } } });',
      'const wide = { spec: { nodeName: true } }; informers.coreV1.pods({ select: wide });',
    ],
  },
  {
    guarantee: 'selections pass through every shape',
    accepts: [
      picks(
        '{ scalar: true, flag: true }',
        'same<typeof spec.scalar, string>(true); same<typeof spec.flag, boolean | undefined>(true);',
      ),
      picks(
        '{ port: true, phase: true }',
        "same<typeof spec.port, number | string | undefined>(true); const phase: typeof spec.phase = 'A'; console.log(phase);",
      ),
      picks(
        '{ any: { deep: { er: true } }, open: { known: true } }',
        'same<typeof spec.any, unknown>(true); spec.open?.known satisfies string | undefined;',
      ),
      picks('{ any: true, open: true }', "spec.open?.['else'] satisfies unknown; console.log(spec.any);"),
      picks(
        '{ list: true, servers: { port: true, hosts: true } }',
        'spec.list?.[0] satisfies string | undefined; spec.servers?.[0]?.port satisfies number | undefined; spec.servers?.[0]?.hosts?.[0] satisfies string | undefined;',
      ),
      picks(
        '{ keyed: { tls: { secret: true } }, matrix: { port: true } }',
        'spec.keyed?.[0]?.tls?.secret satisfies string | undefined; spec.matrix?.[0]?.[0]?.port satisfies number | undefined;',
      ),
      picks('{ keyed: true }', "same<typeof spec.keyed, ListMap<Server, 'port'> | undefined>(true);"),
      picks(
        '{ labels: { app: true }, byName: { "*": { port: true } } }',
        "spec.labels?.app satisfies string | undefined; spec.byName?.['a']?.port satisfies number | undefined;",
      ),
      picks(
        '{ byName: { web: { port: true } }, listsByName: { "*": { port: true } } }',
        "spec.byName?.web?.port satisfies number | undefined; spec.listsByName?.['a']?.[0]?.port satisfies number | undefined;",
      ),
      picks(
        '{ either: { port: true, socket: true } }',
        "if (spec.either && 'socket' in spec.either) spec.either.socket satisfies string;",
      ),
      picks(
        '{ serverOrFlag: { port: true }, one: { port: true } }',
        "if (typeof spec.serverOrFlag === 'object') spec.serverOrFlag.port satisfies number; if (Array.isArray(spec.one)) spec.one[0]?.port satisfies number | undefined;",
      ),
      picks(
        '{ tree: { children: { children: { value: true } }, named: { "*": { value: true } } } }',
        "spec.tree?.children?.[0]?.children?.[0]?.value satisfies string | undefined; spec.tree?.named?.['a']?.value satisfies string | undefined;",
      ),
      'const crd = informers.of(undefined as unknown as NamespacedResource<CustomResourceDefinition, unknown, unknown>, { select: { spec: { versions: { schema: { openAPIV3Schema: { properties: { "*": { type: true } } } } } } } }).lister.get("a", "b"); crd?.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]?.type satisfies string | undefined;',
      'informers.of(shapes, { select: { spec: { servers: true }, status: { ready: true } } }).lister.get("a", "b")?.spec?.servers?.[0]?.tls?.secret satisfies string | undefined;',
    ],
    rejects: [
      picks('{ servers: { port: true } }', 'spec.servers?.[0]?.hosts;'),
      picks('{ keyed: { port: true } }', 'spec.keyed?.[0]?.tls;'),
      picks('{ matrix: { port: true } }', 'spec.matrix?.[0]?.[0]?.hosts;'),
      picks('{ labels: { app: true } }', 'spec.labels?.tier;'),
      picks('{ byName: { "*": { port: true } } }', "spec.byName?.['a']?.hosts;"),
      picks('{ byName: { web: { port: true } } }', 'spec.byName?.db;'),
      picks(
        '{ serverOrFlag: { port: true } }',
        "if (typeof spec.serverOrFlag === 'object') spec.serverOrFlag.hosts;",
      ),
      picks('{ tree: { children: { value: true } } }', 'spec.tree?.children?.[0]?.children;'),
      picks('{ port: { x: true } }', 'console.log(spec);'),
      picks('{ list: { x: true } }', 'console.log(spec);'),
      picks('{ servers: { prt: true } }', 'console.log(spec);'),
      picks('{ either: { other: true } }', 'console.log(spec);'),
      picks('{ byName: { web: { prt: true } } }', 'console.log(spec);'),
    ],
  },
  {
    guarantee: 'a selected object cannot be written as a whole one',
    accepts: [
      "await configClient.patch(config.metadata.name, { data: { a: 'b' } });",
      "await configClient.apply({ metadata: { name: config.metadata.name }, data: { a: 'b' } }, { fieldManager: 'me' });",
      'await configClient.update(await configClient.get(config.metadata.name));',
      "await configClient.create({ metadata: { name: 'copy' }, data: config.data });",
    ],
    rejects: [
      'await configClient.update(config);',
      'await configClient.update({ ...config });',
      "await configClient.update({ ...config, data: { a: 'b' } });",
      'await configClient.update({ ...config, metadata: { ...config.metadata, labels: {} } });',
      'await configClient.update({ metadata: config.metadata });',
      'await podClient.update(pod);',
      'await podClient.updateStatus(pod);',
      'await podClient.updateStatus({ ...pod, status: {} });',
    ],
  },
];
