/** Requests to the paths of a server that are not those of objects. */
import { builtInTypes } from '../../src/testserver/resources/builtin/types.ts';
import type { Step } from './step.ts';

const discovery = ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1'] as const;
const documents = ['/version', '/openid/v1/jwks', '/.well-known/openid-configuration'] as const;
const checks = ['/healthz', '/livez', '/readyz', '/livez/ping', '/readyz/informer-sync'] as const;
const missing = [
  '/versionx',
  '/apis/nothing',
  '/apis/apps/v9',
  '/healthz/nothing',
  '/logs',
  '/metrics/',
  '/openapi',
  '/openapi/v2/',
  '/openapi/v3/',
  '/openapi/v3/apis/nothing',
  '/openid/v1',
  '/swagger.json',
  '/configz',
] as const;

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const protobuf = 'application/vnd.kubernetes.protobuf';
const accepts = [
  'application/yaml',
  protobuf,
  'text/html',
  'application/cbor',
  '*/*',
  'application/*',
  aggregated,
  aggregated.replace('v2', 'v2beta1'),
  aggregated.replace('json', 'yaml'),
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  `${protobuf}, application/json;q=0.5`,
] as const;

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

const get = (path: string): Step => ({ method: 'GET', path });

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Lists of all built-in kinds as tables, without rows. */
const tables: readonly Step[] = builtInTypes
  .filter(({ version, verbs }) => /^v\d+$/.test(version) && verbs.includes('watch'))
  .map(({ apiVersion, plural }) => {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    return { method: 'GET', path: `${root}/${plural}`, query: { labelSelector: 'none' }, accept: table };
  });

/** All requests. */
export const rootSteps: readonly Step[] = [
  ...tables,
  ...['/', '/index.html', ...discovery, ...documents, ...checks, ...missing].map(get),
  ...[...discovery.map((path) => `${path}/`), '/version/', '/openid/v1/jwks/', '/healthz/'].map(get),
  get('/openapi/v3'),
  { method: 'GET', path: '/openapi/v3/version', query: { hash: 'other' } },
  { method: 'GET', path: '/openapi/v3/version', accept: 'text/html' },
  { method: 'GET', path: '/openapi/v2', accept: 'text/html' },
  ...['/healthz', '/readyz', '/livez'].flatMap((path): Step[] => [
    { method: 'GET', path, query: { verbose: '' } },
    { method: 'GET', path, query: { verbose: 'true', exclude: 'etcd' } },
    { method: 'GET', path, query: { verbose: '1', exclude: 'nothing' } },
  ]),
  ...[...discovery, ...documents, '/', '/apis/nothing'].flatMap((path) =>
    accepts.filter(isMasked(path)).map((accept): Step => ({ method: 'GET', path, accept })),
  ),
  ...[...discovery, ...documents, '/', '/healthz', '/livez/ping', '/logs'].flatMap((path) =>
    methods.map((method): Step => ({ method, path, body: {} })),
  ),
];

/** The address of the server is replaced in JSON only. */
function isMasked(path: string): (accept: string) => boolean {
  return (accept) =>
    path !== '/api' || ![protobuf, 'application/yaml'].some((type) => accept.startsWith(type));
}
