import type { Pledge } from './helpers.ts';

/** A small API as openapi-typescript writes it. */
export const paths: string = `
interface Thing { kind?: 'Thing'; metadata?: { name?: string }; spec?: { size: number } }
interface None { query?: never; header?: never; path?: never; cookie?: never }
interface OnThing { query?: { dryRun?: string; pretty?: string }; header?: never; path: { namespace: string; name: string }; cookie?: never }
interface Refused { headers: { [name: string]: unknown }; content?: never }
interface Answer<T> { headers: { [name: string]: unknown }; content: { 'application/json': T; 'application/yaml': T } }
export interface paths {
  '/version': {
    parameters: None;
    get: { parameters: None; requestBody?: never; responses: { 200: Answer<{ gitVersion: string }>; 401: Refused } };
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  '/readyz': {
    parameters: None;
    get: { parameters: { query?: { verbose?: boolean }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: { headers: {}; content: { 'text/plain': string } } } };
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  '/logs/': {
    parameters: None;
    get: { parameters: None; requestBody?: never; responses: { 401: Refused } };
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  '/search': {
    parameters: None;
    get: { parameters: { query: { text: string; limit?: number }; header?: never; path?: never; cookie?: never }; requestBody?: never; responses: { 200: Answer<Thing[]> } };
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  '/things/{namespace}': {
    parameters: None;
    get?: never;
    post: { parameters: { query?: { dryRun?: string }; header?: never; path: { namespace: string }; cookie?: never }; requestBody: { content: { '*/*': Thing } }; responses: { 200: Answer<Thing>; 201: Answer<Thing>; 202: Answer<{ queued: true }> } };
    put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  '/things/{namespace}/{name}': {
    parameters: OnThing;
    get: { parameters: OnThing; requestBody?: never; responses: { 200: Answer<Thing> } };
    put: { parameters: OnThing; requestBody: { content: { 'application/json': Thing } }; responses: { 200: Answer<Thing>; 201: Answer<Thing> } };
    delete: { parameters: OnThing; requestBody?: { content: { '*/*': { gracePeriodSeconds?: number } } }; responses: { 200: Answer<{ status: 'Success' }>; 202: Answer<Thing> } };
    patch: { parameters: OnThing; requestBody: { content: { 'application/json-patch+json': object; 'application/merge-patch+json': { spec?: { size?: number | null } | null }; 'application/strategic-merge-patch+json': { spec?: { $patch?: 'replace' } }; 'application/apply-patch+yaml': Thing } }; responses: { 200: Answer<Thing> } };
    post?: never; options?: never; head?: never; trace?: never;
  };
  '/customs': {
    parameters: None;
    post: { parameters: None; requestBody: { content: { 'application/json': { apiVersion?: 'a.io/v1' } & Thing & { apiVersion: 'a.io/v1'; kind: 'Thing' } } }; responses: { 201: Answer<Thing> } };
    get?: never; put?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
  '/proxy': {
    parameters: None;
    get: { parameters: None; requestBody?: never; responses: { 200: { headers: {}; content: { '*/*': string } } } };
    put?: never; post?: never; delete?: never; options?: never; head?: never; patch?: never; trace?: never;
  };
}
`;

/** What the statements may use, over a client of these paths. */
export const prelude: string = `
import { ClientsetBase, RESTClient, resource } from '@kgen/runtime';
import type { CallOptions } from '@kgen/runtime';
import { ClientsetBase as OtherBase, RESTClient as OtherClient } from './other/runtime.js';
import type { Thing, paths } from './paths.js';
declare const rest: RESTClient<paths>;
declare const plain: RESTClient;
declare const other: OtherClient<paths>;
declare const signal: AbortSignal;
declare function same<A, B>(yes: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false): void;
declare function answer<T>(of: Promise<T>): T;
`.trim();

const one = `'/things/{namespace}/{name}'`;
const path = `path: { namespace: 'shop', name: 'a' }`;

export const pledges: readonly Pledge[] = [
  {
    pledge: 'paths are those of the document',
    accepts: [`rest.get('/version');`, `rest.get('/version', { signal, timeoutMs: 5 });`],
    rejects: [
      `rest.get('/versions');`,
      `rest.get('/things/shop/a');`,
      `rest.get('/version' as string);`,
      `rest.post('/version');`,
      `rest.post('/version', {});`,
      `rest.get('/things/{namespace}', { path: { namespace: 'a' } });`,
    ],
  },
  {
    pledge: 'the parts of a path are needed, and no others',
    accepts: [`rest.get(${one}, { ${path} });`],
    rejects: [
      `rest.get(${one});`,
      `rest.get(${one}, {});`,
      `rest.get(${one}, { path: { namespace: 'shop' } });`,
      `rest.get(${one}, { path: { namespace: 'shop', name: 7 } });`,
      `rest.get(${one}, { path: { namespace: 'shop', name: 'a', uid: 'b' } });`,
      `rest.get('/version', { path: { name: 'a' } });`,
    ],
  },
  {
    pledge: 'queries have their types',
    accepts: [
      `rest.get('/readyz', { query: { verbose: true } });`,
      `rest.get('/readyz', { query: {} });`,
      `rest.get('/search', { query: { text: 'a', limit: 5 } });`,
    ],
    rejects: [
      `rest.get('/readyz', { query: { verbose: 'yes' } });`,
      `rest.get('/readyz', { query: { wordy: true } });`,
      `rest.get('/readyz', { verbose: true });`,
      `rest.get('/version', { query: { verbose: true } });`,
      `rest.get('/search');`,
      `rest.get('/search', { query: { limit: 5 } });`,
    ],
  },
  {
    pledge: 'bodies have their types',
    accepts: [
      `rest.post('/things/{namespace}', { path: { namespace: 'a' }, body: { spec: { size: 1 } } });`,
      `rest.put(${one}, { ${path}, body: {} });`,
      `rest.delete(${one}, { ${path} });`,
      `rest.delete(${one}, { ${path}, body: { gracePeriodSeconds: 0 } });`,
    ],
    rejects: [
      `rest.post('/things/{namespace}', { path: { namespace: 'a' } });`,
      `rest.post('/things/{namespace}', { path: { namespace: 'a' }, body: { spec: {} } });`,
      `rest.put(${one}, { ${path}, body: { spek: 1 } });`,
      `rest.delete(${one}, { ${path}, body: { gracePeriodSeconds: '0' } });`,
      `rest.get('/version', { body: {} });`,
    ],
  },
  {
    pledge: 'the body of a custom resource needs apiVersion and kind',
    accepts: [
      `rest.post('/customs', { body: { apiVersion: 'a.io/v1', kind: 'Thing' } });`,
      `rest.post('/customs', { body: { apiVersion: 'a.io/v1', kind: 'Thing', spec: { size: 1 } } });`,
    ],
    rejects: [
      `rest.post('/customs', { body: {} });`,
      `rest.post('/customs', { body: { spec: { size: 1 } } });`,
      `rest.post('/customs', { body: { kind: 'Thing' } });`,
      `rest.post('/customs', { body: { apiVersion: 'a.io/v1' } });`,
      `rest.post('/customs', { body: { apiVersion: 'a.io/v2', kind: 'Thing' } });`,
    ],
  },
  {
    pledge: 'the body of a patch follows contentType',
    accepts: [
      `rest.patch(${one}, { ${path}, body: { spec: { size: null } } });`,
      `rest.patch(${one}, { ${path}, body: { spec: null }, contentType: 'application/merge-patch+json' });`,
      `rest.patch(${one}, { ${path}, body: [{ op: 'remove', path: '/spec' }], contentType: 'application/json-patch+json' });`,
      `rest.patch(${one}, { ${path}, body: { spec: { $patch: 'replace' } }, contentType: 'application/strategic-merge-patch+json' });`,
      `rest.patch(${one}, { ${path}, body: { spec: { size: 1 } }, contentType: 'application/apply-patch+yaml' });`,
    ],
    rejects: [
      `rest.patch(${one}, { ${path} });`,
      `rest.patch(${one}, { ${path}, body: { spec: { size: 'a' } } });`,
      `rest.patch(${one}, { ${path}, body: [{ op: 'remove', path: '/spec' }] });`,
      `rest.patch(${one}, { ${path}, body: { spec: {} }, contentType: 'application/json-patch+json' });`,
      `rest.patch(${one}, { ${path}, body: [{ op: 'delete', path: '/spec' }], contentType: 'application/json-patch+json' });`,
      `rest.patch(${one}, { ${path}, body: { spec: { size: null } }, contentType: 'application/apply-patch+yaml' });`,
      `rest.patch(${one}, { ${path}, body: {}, contentType: 'application/json' });`,
    ],
  },
  {
    pledge: 'answers have their types',
    accepts: [
      `same<{ gitVersion: string }, Awaited<ReturnType<typeof version>>>(true); function version() { return rest.get('/version'); }`,
      `const text = await rest.get('/readyz'); same<string, typeof text>(true);`,
      `const thing = await rest.get(${one}, { ${path} }); same<Thing, typeof thing>(true);`,
      `const made = await rest.post('/things/{namespace}', { path: { namespace: 'a' }, body: {} }); same<Thing | { queued: true }, typeof made>(true);`,
      `const gone = await rest.delete(${one}, { ${path} }); same<{ status: 'Success' } | Thing, typeof gone>(true);`,
      `const page = await rest.get('/logs/'); same<unknown, typeof page>(true);`,
      `const behind = await rest.get('/proxy'); same<unknown, typeof behind>(true);`,
    ],
    rejects: [
      `(await rest.get('/version')).version;`,
      `const text: number = await rest.get('/readyz'); text;`,
      `(await rest.get('/logs/')).length;`,
    ],
  },
  {
    pledge: 'a client without paths takes any, and knows nothing of answers',
    accepts: [
      `const any = await plain.get('/anything', { path: { a: 'b' }, query: { c: 1 } }); same<unknown, typeof any>(true);`,
      `plain.get('/any' as string); plain.patch('/any', { body: [], contentType: 'application/json-patch+json' });`,
      `const options: CallOptions = {}; plain.get('/any', options);`,
      `const made = new RESTClient({ server: 'https://a' }); same<RESTClient, typeof made>(true);`,
    ],
    rejects: [`(await plain.get('/version')).gitVersion;`, `plain.get('/version', { body: {} });`],
  },
  {
    pledge: 'a client with paths is a client',
    accepts: [
      `const typed = new RESTClient<paths>({ server: 'https://a' }); same<RESTClient<paths>, typeof typed>(true);`,
      'const any: RESTClient = rest; any; new ClientsetBase(rest);',
      'const any: RESTClient = other; any; new ClientsetBase(other);',
      'const any: OtherClient = rest; any; new OtherBase(rest); new OtherBase(plain);',
      'resource(rest, null as never); resource(other, null as never);',
    ],
    rejects: [
      'const typed: RESTClient<paths> = plain; typed;',
      `const typed: RESTClient<paths> = new RESTClient<{ '/a': { get: { responses: {} } } }>({ server: 'https://a' }); typed;`,
    ],
  },
];
