import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findKubectl } from '../support/kubectl.ts';
import { differences } from './differences.ts';
import type { Env } from './env.ts';
import { json, type RawClient } from './raw-client.ts';
import { bothWays, faults, replacements } from './readings.ts';

/**
 * Control characters, characters of four bytes, and strings that programs interpret as code or as line ends.
 */
const text =
  '"\\u0001\\t\\u001f\\u007f\\u0085\\u2028\\u2029\\uFEFF\\u200B \\u00e9e\\u0301 \\U0001F600 <&> \\\\n $(x)"';

/** Returns a schema nested as deeply as real definitions may be. */
function deep(levels: number): string {
  return levels === 0
    ? '{ type: string, nullable: true, enum: [null, "", a], default: null }'
    : `{ type: object, nullable: true, default: null, properties: { p: ${deep(levels - 1)} } }`;
}

/**
 * An integer that is rounded on reading, by JSON.parse too, so that only the rounded value can be written.
 */
const beyondNumbers = '9007199254740993';

/** Manifests with unusual content, by their paths. */
const objects: Readonly<Record<string, string>> = {
  'api/v1/namespaces/*/configmaps/odd': `
apiVersion: v1
kind: ConfigMap
metadata:
  name: odd
  annotations: { text: ${text}, constructor: a, toString: "", "example.com/1": "1" }
  labels: { "1": "", hasOwnProperty: "no" }
data: { __proto__: ${text}, "2": b, "10": c, "1": a, empty: "" }
binaryData: { bytes: "AAEC/f7/", none: "" }`,
  'api/v1/namespaces/*/pods/odd': `
apiVersion: v1
kind: Pod
metadata: { name: odd }
spec:
  securityContext: { runAsUser: 0, fsGroup: 2147483647, supplementalGroups: [0, 2147483647] }
  tolerations: [{ operator: Exists, effect: NoExecute, tolerationSeconds: -9223372036854775808 }]
  nodeSelector: { constructor: a }
  containers:
    - name: web
      image: web:1
      env: [{ name: TEXT, value: ${text} }]
      resources:
        limits: { cpu: 1e0, memory: "128974848", ephemeral-storage: 1.5Gi, example.com/a: "1000" }
        requests: { cpu: 0.5, memory: 1e3, ephemeral-storage: 123456789m, example.com/a: 1000 }
      livenessProbe: { httpGet: { port: http, path: "" }, initialDelaySeconds: 0, periodSeconds: 1 }
      ports: [{ name: http, containerPort: 80 }]`,
  'api/v1/namespaces/*/services/odd': `
apiVersion: v1
kind: Service
metadata: { name: odd }
spec: { clusterIP: None, ports: [{ name: a, port: 80, targetPort: "0080x" }, { name: b, port: 81, targetPort: 1 }] }`,
  'api/v1/namespaces/*/resourcequotas/odd': `
apiVersion: v1
kind: ResourceQuota
metadata: { name: odd }
spec: { hard: { cpu: 1000m, memory: 0.5Gi, pods: 1e3, services: 0, secrets: 9223372036854775807, configmaps: 1E } }`,
  'apis/apps/v1/namespaces/*/controllerrevisions/odd': `
apiVersion: apps/v1
kind: ControllerRevision
metadata: { name: odd }
revision: ${beyondNumbers}
data: { __proto__: { a: 1 }, "": [], number: 1e300, zero: -0, long: 12345678901234567890, text: ${text} }`,
  'apis/coordination.k8s.io/v1/namespaces/*/leases/odd': `
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: { name: odd }
spec: { renewTime: "1960-02-29T23:59:59.999999Z", acquireTime: "9999-12-31T23:59:59.000001Z" }`,
  'apis/apiextensions.k8s.io/v1/customresourcedefinitions/odds.odd.example.com': `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: odds.odd.example.com }
spec:
  group: odd.example.com
  scope: Cluster
  names: { plural: odds, kind: Odd }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            deep: ${deep(40)}
            __proto__: { type: string, enum: [null], nullable: true }
            int: { type: integer, format: int64, minimum: -9223372036854775808, maximum: 1e18 }
            number: { type: number, minimum: -0.0, maximum: 1.7976931348623157e308, multipleOf: 5e-324 }
            any: { x-kubernetes-preserve-unknown-fields: true, default: [null, 1.5, { "": {} }], nullable: true }
            values: { type: array, items: { type: number }, enum: [[], [1], null], nullable: true, default: [1] }`,
};

/** Registers tests of objects stored by kubectl, which sends JSON. */
export function unusualObjectTests(env: Env): void {
  describe('an object that kubectl stored', () => {
    it.each(Object.entries(objects))('is read equally: %s', async (path, manifest) => {
      const { namespace } = await env.home();
      const place = `/${path.replace('*', namespace)}`;
      await store(env, place.replace(/\/[^/]*$/, ''), namespace, manifest);
      const reading = await bothWays(env.raw, place);
      if (!manifest.includes(beyondNumbers)) {
        expect(await faults(reading)).toEqual([]);
        expect(await replacements(env.raw, place)).toEqual([]);
      }
      expect(differences(reading.decoded, reading.parsed)).toEqual([]);
    });
  });
}

/** Stores a manifest; without kubectl, which CI has, the manifest is sent as it is. */
async function store(
  { plane, raw }: Env,
  collection: string,
  namespace: string,
  manifest: string,
): Promise<void> {
  const program = findKubectl(plane.assets, Boolean(process.env['KGEN_NOTHING_SKIPPED']));
  if (program === undefined) return storeYaml(raw, collection, manifest);
  const config = join(plane.folder, 'odd.kubeconfig');
  await writeFile(config, plane.kubeconfig);
  const args = ['--kubeconfig', config, '--namespace', namespace, 'create', '--validate=false', '-f', '-'];
  execFileSync(program, args, { input: manifest, stdio: ['pipe', 'ignore', 'pipe'] });
}

async function storeYaml(raw: RawClient, path: string, body: string): Promise<void> {
  await raw.expect(json, { method: 'POST', path, body, contentType: 'application/yaml' });
}
