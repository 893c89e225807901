/** Programs that hide their requests from the types: each has its permissions, or an error at its line. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { formatPlace } from '../../src/kgen/common/problems.ts';
import { permissionsOf } from '../../src/kgen/manifests/permissions/permissions.ts';
import { repository } from '../support/emitted.ts';
import { needText } from './program.ts';

const shared = `import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';
export const config = await loadConfig();
export const kubernetes = new Clientset(config);
export const pods = kubernetes.coreV1.pods('shop');
export const secrets = kubernetes.coreV1.secrets('shop');
export interface Getter { get(name: string): Promise<unknown> }
`;
const imports = `import { kubernetes, pods, secrets, config, type Getter } from '../clients.js';
`;

interface Case {
  readonly title: string;
  readonly program: string;
  /** Further files; `main.ts` has the program. */
  readonly files?: Readonly<Record<string, string>>;
  readonly language?: 'ts' | 'js';
  readonly needs?: readonly string[];
  /** Places and the beginnings of messages. */
  readonly problems?: readonly string[];
}

const getPods = 'get pods in namespace shop';
const getSecret = 'get secrets a in namespace shop';

const cases: readonly Case[] = [
  {
    title: 'a client in a variable of type any',
    program: `const client: any = pods; await client.get('a');`,
    problems: ['main.ts:2:40: the resource of get of a value of type any'],
  },
  {
    title: 'a parameter of type any',
    program: `export const f = (client: any) => client.list();`,
    problems: ['main.ts:2:42: the resource of list of a value of type any'],
  },
  {
    title: 'a member of an any that is destructured',
    program: `const { list } = pods as any; await list();`,
    problems: ['main.ts:2:37: the resource of list of a value of type any'],
  },
  {
    title: 'a clientset of type any',
    program: `const k: any = kubernetes; await k.coreV1.secrets('shop').list();`,
    problems: ['main.ts:2:59: the resource of list'],
  },
  {
    title: 'a client behind any that becomes an interface of the program',
    program: `const getter: Getter = pods as any; await getter.get('a');`,
    needs: ['get pods in namespace shop'],
  },
  {
    title: 'clients in a Map and in an array',
    program: `const byName = new Map([['a', pods]]); await byName.get('a')?.list();
await Promise.all([pods, secrets].map((each) => each.get('a')));
for (const { watch } of [pods]) void watch;`,
    needs: ['get pods a', 'list pods', 'list,watch pods', 'get secrets a'],
  },
  {
    title: 'a callback that receives a client',
    program: `const run = async <T>(use: (client: typeof pods) => Promise<T>) => use(pods);
await run((client) => client.list()); await run(({ get }) => get('a'));`,
    needs: ['get pods', 'list pods'],
  },
  {
    title: 'a re-export',
    program: `import { p } from './index.js'; await p.list();`,
    files: { 'index.ts': `export { pods as p } from '../clients.js';` },
    needs: ['list pods in namespace shop'],
  },
  {
    title: 'a client of a dependency',
    program: `import { remote } from 'acme'; await remote.list();`,
    needs: ['list pods'],
  },
  {
    title: 'a client that is passed to a dependency',
    program: `import { cleanUp } from 'acme'; await cleanUp(pods);`,
    problems: ['main.ts:2:39: cleanUp of the package acme receives a client'],
  },
  {
    title: 'a clientset in the options of a dependency',
    program: `import { Cleaner } from 'acme'; new Cleaner({ kubernetes });`,
    problems: ['main.ts:2:33: Cleaner of the package acme receives a client'],
  },
  {
    title: 'a configuration that is passed to a dependency',
    program: `import { connect } from 'acme'; await connect(config);`,
    problems: ['main.ts:2:39: connect of the package acme receives a client'],
  },
  {
    title: 'a dependency that calls a function with a client of the program',
    program: `import { retry } from 'acme'; await retry(() => pods.list());`,
    needs: ['list pods in namespace shop'],
  },
  {
    title: 'modules that are imported at run time',
    program: `const { pods: p } = await import('../clients.js'); await p.list();
const { drain } = await import('@kgen/runtime/tools'); await drain(kubernetes, 'n1');`,
    needs: ['get daemonsets.apps', 'patch nodes', 'get,list pods', 'list pods', 'create pods/eviction'],
  },
  {
    title: 'a module whose name the program computes',
    program: `await import(String(process.argv[2]));`,
    problems: ['main.ts:2:7: '],
  },
  {
    title: 'modules of JavaScript',
    language: 'js',
    program: `const client = kubernetes.coreV1.pods('shop'); await client.list();
/** @param {import('@kgen/kubernetes/core/v1').PodClient} client */
export const f = (client) => client.get('a');
export const g = (client) => client.get('a');`,
    needs: ['get pods a', 'list pods in namespace shop'],
    problems: ['main.js:5:37: the resource of get of a value of type any'],
  },
  {
    title: 'type parameters of clients',
    program: `export const f = <C extends typeof pods>(client: C) => client.get('a');
export const g = <C extends Getter>(client: C) => client.get('a'); await g(secrets);
export const h = <K extends 'pods' | 'secrets'>(kind: K) => kubernetes.coreV1[kind]('shop').get('c');
export const i = <M extends { p: typeof pods }, K extends keyof M>(m: M, k: 'p') => m[k].find('b');`,
    needs: [
      'get pods a',
      'get pods b',
      'get pods c in namespace shop',
      'get secrets c in namespace shop',
      'get secrets in namespace shop',
    ],
  },
  {
    title: 'a helper with a resource as type parameter',
    program: `import { InformerFactory } from '@kgen/runtime';
import type { Get, NamespacedResource } from '@kgen/runtime/client';
import { configMaps } from '@kgen/kubernetes/core/v1';
const follow = <T, L, C>(of: NamespacedResource<T, L, C>) => new InformerFactory(kubernetes).of(of);
export const read = <T>(client: Get<T>) => client.get('a'); follow(configMaps);`,
    problems: [
      'main.ts:5:62: the resource of informer is not known',
      'main.ts:6:51: the resource of get is not known',
    ],
  },
  {
    title: 'a clientset that is destructured',
    program: `const { coreV1: { secrets: of }, appsV1 } = kubernetes; await of('shop').get('a');
const { deployments } = appsV1; await deployments().list();`,
    needs: ['list deployments.apps', getSecret],
  },
  {
    title: 'members that are destructured by an assignment',
    program: `let get: typeof pods.get; ({ get } = pods); await get('a');
let follow; ({ watch: follow } = pods); void follow;`,
    needs: ['get pods in namespace shop', 'list,watch pods in namespace shop'],
  },
  {
    title: 'optional chaining',
    program: `declare const maybe: { readonly pods?: typeof pods } | undefined;
await maybe?.pods?.list?.(); await maybe?.pods?.['get']?.('a'); await maybe!.pods!.delete('b');`,
    needs: ['delete pods b', 'get pods a', 'list pods'],
  },
  {
    title: 'class fields',
    program: `export class Cleaner {
  readonly #pods = kubernetes.coreV1.pods('shop'); readonly secrets: typeof secrets; static all = pods;
  constructor(readonly owned: typeof pods) { this.secrets = secrets; }
  async run() { await this.#pods.list(); await this.secrets.get('a'); await Cleaner.all.find('b'); await this.owned.delete('c'); }
}`,
    needs: ['delete pods c', 'get pods b in namespace shop', 'list pods in namespace shop', 'get secrets a'],
  },
  {
    title: 'satisfies',
    program: `const getters = { p: pods } satisfies Record<string, Getter>; await getters.p.get('a');
const one = secrets satisfies Getter; await one.get('a');`,
    needs: ['get pods a in namespace shop', getSecret],
  },
  {
    title: 'a client as an interface of the program, however it is written',
    program: `declare const pick: boolean;
export const conditional: Getter = pick ? pods : secrets;`,
    needs: [getPods, 'get secrets in namespace shop'],
  },
  {
    title: 'objects and lists of clients as interfaces of the program',
    program: `const bag = { getter: pods }; export const view: { getter: Getter } = bag;
const list = [secrets]; export const views: readonly Getter[] = list;`,
    needs: ['get pods', 'get secrets'],
  },
  {
    title: 'a clientset as an interface of the program',
    program: `interface Api { coreV1: { secrets(namespace: string): Getter } }
export const api: Api = kubernetes;`,
    needs: ['get secrets'],
  },
  {
    title: 'a function whose result is an interface of the program',
    program: `const make = () => pods; export const factory: () => Getter = make;
export const later = async (): Promise<Getter> => secrets;
export async function last(): Promise<Getter> { const found = await Promise.resolve(secrets); return found; }`,
    needs: ['get pods', 'get secrets', 'get secrets in namespace shop'],
  },
  {
    title: 'a member with a computed name',
    program: `declare const verb: 'get' | 'find'; await pods[verb]('a');
export const f = <K extends keyof typeof pods>(name: K) => pods[name];`,
    needs: ['get pods a in namespace shop'],
    problems: ['main.ts:3:60: '],
  },
  {
    title: 'functions that are passed on',
    program: `import { drain, rolloutRestart } from '@kgen/runtime/tools';
const call = async <A extends unknown[]>(f: (...args: A) => Promise<unknown>, ...args: A) => f(...args);
await call(drain, kubernetes, 'n1'); await call(rolloutRestart, kubernetes, 'deployment/web');`,
    needs: ['get daemonsets.apps', 'patch nodes', 'get,list pods', 'create pods/eviction'],
    problems: ['main.ts:4:49: '],
  },
  {
    title: 'an informer of an optional factory, and by a passed method',
    program: `import { InformerFactory } from '@kgen/runtime';
import { configMaps, pods as podResource } from '@kgen/kubernetes/core/v1';
declare const factory: InformerFactory | undefined; factory?.of(podResource);
const make = (of: InformerFactory['of']) => of(configMaps); if (factory) make(factory.of);`,
    needs: ['list,watch configmaps', 'list,watch pods'],
  },
  {
    title: 'subclasses of managers and clients',
    program: `import { Manager } from '@kgen/controller'; import { RESTClient } from '@kgen/runtime';
export class Mine extends Manager { constructor() { super(config, { leaderElection: { name: 'me' } }); } }
export class Rest extends RESTClient { all() { return this.get('/api/v1/pods'); } }`,
    needs: [
      'create leases.coordination.k8s.io in the namespace of the operator',
      'get,update leases.coordination.k8s.io me in the namespace of the operator',
      'list pods',
    ],
  },
  {
    title: 'options that the program receives',
    program: `import { Controller, Manager, type ControllerOptions, type ManagerOptions } from '@kgen/controller';
import type { Pod } from '@kgen/kubernetes/core/v1';
export const f = (options: ManagerOptions) => new Manager(config, options);
export const g = (options: ControllerOptions<Pod>) => new Controller(options);
export const h = () => new Manager(config);`,
    problems: [
      'main.ts:4:67: the options of the Manager are not known at compile time',
      'main.ts:5:70: the options of the Controller are not known at compile time',
    ],
  },
  {
    title: 'functions that return a client of a namespace which they choose',
    program: `const podsOf = (team: string) => kubernetes.coreV1.pods(\`team-\${team}\`); await podsOf('a').get('b');
const { own } = { own: (name: string) => kubernetes.coreV1.secrets(name + '-x') }; await own('c').list();`,
    needs: ['get pods b', 'list secrets'],
  },
  {
    title: 'dependents that are declared apart',
    program: `import { InformerFactory } from '@kgen/runtime'; import { OwnedDependents, type OwnedDependent } from '@kgen/controller';
import { configMaps, type ConfigMap, type Pod } from '@kgen/kubernetes/core/v1'; import type { Stored } from '@kgen/runtime';
const informer = new InformerFactory(kubernetes).of(configMaps);
const list: OwnedDependent<Stored<Pod>, ConfigMap>[] = [];
list.push({ name: 'a', trackedBy: 'labels', informer, desired: ({ metadata: { name } }) => ({ metadata: { name } }) });
new OwnedDependents<Stored<Pod>>(list as never);`,
    needs: ['create,patch configmaps', 'list,watch configmaps', 'update pods/finalizers'],
  },
  {
    title: 'require',
    program: `import { createRequire } from 'node:module';
const { Clientset } = createRequire(import.meta.url)('@kgen/kubernetes');
await new Clientset(config).coreV1.pods().list();`,
    problems: ['main.ts:4:43: the resource of list of a value of type any'],
  },
  {
    title: 'impersonation',
    program: `import { withImpersonation } from '@kgen/runtime';
export const other = withImpersonation(config, { user: 'jane' });`,
    needs: ['impersonate users jane'],
  },
  {
    title: 'a suppressed error',
    program: `// @ts-ignore
import { store } from './missing.js';
await store.pods.list();`,
    problems: ['main.ts:4:18: the resource of list of a value of type any'],
  },
  {
    title: 'members of other values with equal names',
    program: `await Promise.resolve(new Map([['a', 1]]).get('a')); JSON.parse('{}').list; console.log(pods);
export const { watch, patch } = JSON.parse('{}'); structuredClone({ pods: 1 });`,
  },
];

it('finds the permissions of programs that hide their requests, or reports them', () => {
  const found = resultsOf(cases);
  expect(found).toEqual(
    cases.map(({ title, needs = [], problems = [] }) => ({
      title,
      needs: needs.toSorted(),
      problems: problems.map((text) => expect.stringMatching(new RegExp(`^${escaped(text)}`))),
    })),
  );
}, 120_000);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Checks all programs together. */
function resultsOf(all: readonly Case[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-hidden-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, 'node_modules'));
  for (const name of ['@kgen', '@types', 'undici-types'])
    symlinkSync(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
  write('package.json', '{"type": "module"}');
  write('clients.ts', shared);
  for (const [path, text] of Object.entries(acme)) write(`node_modules/acme/${path}`, text);
  for (const [index, { program, files = {}, language = 'ts' }] of all.entries()) {
    const text = language === 'js' ? imports.replace(', type Getter', '') : imports;
    for (const [name, content] of Object.entries({ [`main.${language}`]: text + program, ...files }))
      write(`case-${index}/${name}`, content);
  }
  const { value, problems } = permissionsOf({ cwd: folder, paths: ['.'] });
  return all.map(({ title }, index) => {
    const isHere = (file: string | undefined): boolean => file?.startsWith(`case-${index}/`) === true;
    const of = problems.filter(({ where }) => isHere(where?.file));
    return {
      title,
      needs: [...new Set(value.filter(({ place }) => isHere(place.file)).map(needText))].sort(),
      problems: of.map(({ where, what }) =>
        `${where === undefined ? '' : formatPlace(where)}: ${what}`.replace(`case-${index}/`, ''),
      ),
    };
  });
}

const acme = {
  'package.json':
    '{"name": "acme", "type": "module", "exports": {"types": "./index.d.ts", "default": "./index.js"}}',
  'index.js': '',
  'index.d.ts': `import type { Clientset } from '@kgen/kubernetes';
import type { PodClient } from '@kgen/kubernetes/core/v1';
import type { ClusterConfig } from '@kgen/runtime';
export declare const remote: PodClient;
export declare function cleanUp(client: PodClient): Promise<void>;
export declare function connect(config: ClusterConfig): Promise<void>;
export declare function retry<T>(action: () => Promise<T>): Promise<T>;
export declare class Cleaner { constructor(options: { readonly kubernetes: Clientset }); }
`,
};
