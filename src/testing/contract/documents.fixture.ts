/** Requests for discovery and OpenAPI documents. */

import { fromEntries, isArray, isObject, type Json } from '../../schema/values/json.ts';
import { builtInTypes } from '../../testserver/resources/builtin/types.ts';
import type { Step } from './exchange.fixture.ts';

const versions = [...new Set([...builtInTypes.map((type) => type.apiVersion), 'apiextensions.k8s.io/v1'])];
const groups = [...new Set(versions.map((version) => version.split('/')[0] ?? ''))].filter(
  (group) => group !== 'v1',
);
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const rootOf = (apiVersion: string): string => (apiVersion === 'v1' ? 'api/v1' : `apis/${apiVersion}`);

/** Discovery in both forms, and the OpenAPI documents of all group versions. */
export const documentSteps: readonly Step[] = [
  { method: 'GET', path: '/api', accept: aggregated },
  { method: 'GET', path: '/apis', accept: aggregated },
  { method: 'GET', path: '/apis' },
  ...groups.map((group) => ({ method: 'GET', path: `/apis/${group}` })),
  ...versions.map((version) => ({ method: 'GET', path: `/${rootOf(version)}` })),
  ...['api', 'apis', 'version', ...groups.map((group) => `apis/${group}`), ...versions.map(rootOf)].map(
    (path) => ({ method: 'GET', path: `/openapi/v3/${path}` }),
  ),
];

/** Returns a document without its descriptions, which belong to other authors. */
export function withoutDescriptions(value: Json): Json {
  if (isArray(value)) return value.map(withoutDescriptions);
  if (!isObject(value)) return value;
  return fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      key === 'description' && typeof item === 'string' ? [] : [[key, withoutDescriptions(item)]],
    ),
  );
}
