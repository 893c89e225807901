/** Objects for tests of errors of the encoder. */
import { encode } from './codec.ts';
import type { JsonObject } from './expected.ts';

export function write(object: object): Promise<Uint8Array> {
  // seam: objects that the types would reject
  return encode(object as unknown as Parameters<typeof encode>[0]);
}

export function pod(spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [], ...spec } };
}

export function container(members: JsonObject): JsonObject {
  return pod({ containers: [{ name: 'main' }, { name: 'b', ...members }] });
}

export function service(spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec };
}

export function metadata(members: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...members } };
}

export function schema(members: JsonObject): JsonObject {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: members } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'as.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'as', kind: 'A' },
      scope: 'Namespaced',
      versions: [version],
    },
  };
}

export function secretWith(value: unknown): JsonObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { k: value } };
}

export function limited(value: unknown): JsonObject {
  return container({ resources: { limits: { cpu: value } } });
}

export function ported(value: unknown): JsonObject {
  return service({ ports: [{ port: 1, targetPort: value }] });
}
