/** `kgen import`: what is written, and what is refused. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importDefinitions } from '../../src/kgen/manifests/import/import-definitions.ts';
import { roundTrip } from '../support/round-trip.ts';

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), 'kgen-import-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  mkdirSync(join(path, 'api'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

const oven = (group: string, more = ''): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ovens.${group}
  labels: { part-of: kitchen }
  annotations: { controller-gen.kubebuilder.io/version: v0.21.0, note: "it's hot" }
spec:
  group: ${group}
  scope: Cluster
  names: { kind: Oven, plural: ovens, shortNames: [ov], categories: [all] }
  ${more}
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: { specReplicasPath: .spec.trays, statusReplicasPath: .status.trays, labelSelectorPath: .status.selector }
      selectableFields: [{ jsonPath: .spec.mode }]
      additionalPrinterColumns:
        - { name: Trays, type: integer, jsonPath: .spec.trays, priority: 1 }
        - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status' }
        - { name: Hosts, type: string, jsonPath: '.status.hosts[0].labels.a' }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
      schema:
        openAPIV3Schema:
          description: Bakes.
          type: object
          required: [spec]
          properties:
            apiVersion: { type: string, description: Version. }
            kind: { type: string }
            metadata: { type: object }
            spec:
              description: The wish.
              type: object
              required: [mode]
              properties:
                mode: { type: string, enum: [slow, fast], default: slow }
                trays: { type: integer, format: int32, minimum: 1 }
                memory:
                  x-kubernetes-int-or-string: true
                  anyOf: [{ type: integer }, { type: string }]
                  pattern: ^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$
            status:
              type: object
              properties:
                trays: { type: integer, format: int32 }
                hosts: { type: array, items: { type: object, properties: { name: { type: string } } } }
                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items:
                    type: object
                    required: [type]
                    properties: { type: { type: string }, status: { type: string } }
`;

describe('a module', () => {
  it('declares types, names, columns and subresources', async () => {
    const cwd = folder({ 'oven.yaml': oven('example.com') });
    const result = await importDefinitions({ input: ['oven.yaml'], cwd });
    expect(result.problems).toEqual([]);
    expect(result.definitions).toEqual([{ name: 'ovens.example.com', path: 'oven.ts' }]);
    expect(readFileSync(join(cwd, 'api/oven.ts'), 'utf8')).toMatchInlineSnapshot(`
      "import { api, type CustomResource, type Int32, type Quantity, version } from 'kgen/api';

      /** Bakes. */
      export interface Oven extends CustomResource<OvenSpec, OvenStatus> {}

      /** The wish. */
      export interface OvenSpec {
        memory?: Quantity;
        /**
         * @default "slow"
         * @required
         */
        mode?: 'slow' | 'fast';
        /** @minimum 1 */
        trays?: Int32;
      }

      export interface OvenStatus {
        /** @listMap type */
        conditions?: OvenCondition[];
        hosts?: OvenHost[];
        trays?: Int32;
      }

      export interface OvenCondition {
        status?: string;
        type: string;
      }

      export interface OvenHost {
        name?: string;
      }

      export default api({
        group: 'example.com',
        kind: 'Oven',
        shortNames: ['ov'],
        categories: ['all'],
        scope: 'Cluster',
        labels: { 'part-of': 'kitchen' },
        annotations: { note: 'it\\'s hot' },
        versions: {
          v1: version<Oven>()({
            columns: [
              { name: 'Trays', priority: 1, path: 'spec.trays' },
              { name: 'Ready', path: 'status.conditions[Ready].status' },
              { name: 'Hosts', jsonPath: '.status.hosts[0].labels.a', type: 'string' },
              { name: 'Age', path: 'metadata.creationTimestamp' },
            ],
            scale: { replicas: 'spec.trays', statusReplicas: 'status.trays', selector: '.status.selector' },
            selectable: ['spec.mode'],
          }),
        },
      });
      "
    `);
  });

  it('keeps versions, conversion and deprecation', async () => {
    const conversion = `conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1, v1beta1]
      clientConfig: { service: { name: hooks, namespace: kitchen, path: /x, port: 8443 } }`;
    const [head = '', version = ''] = oven('example.com', conversion).split('  versions:\n');
    const old = version
      .replace('name: v1', 'name: v1beta1\n      deprecated: true\n      deprecationWarning: "use v1"')
      .replace('storage: true', 'storage: false')
      .replace('enum: [slow, fast]', 'maxLength: 4');
    const cwd = folder({ 'oven.yaml': `${head}  versions:\n${old}${version}` });
    const { before, after, problems } = await roundTrip([join(cwd, 'oven.yaml')]);
    expect(problems).toEqual([]);
    expect(after).toEqual(before);
  });
});

describe('files', () => {
  it('of the author are never replaced without --force', async () => {
    const cwd = folder({ 'oven.yaml': oven('example.com'), 'api/oven.ts': 'mine' });
    const refused = await importDefinitions({ input: ['oven.yaml'], cwd });
    expect([refused.ok, refused.definitions]).toEqual([false, []]);
    expect(refused.problems.map(({ where, what }) => `${where?.file}: ${what}`)).toEqual([
      'api/oven.ts: the file already exists: move it, or replace it with --force',
    ]);
    expect(readFileSync(join(cwd, 'api/oven.ts'), 'utf8')).toBe('mine');
    expect(await importDefinitions({ input: ['oven.yaml'], cwd, force: true })).toMatchObject({ ok: true });
    expect(readFileSync(join(cwd, 'api/oven.ts'), 'utf8')).toContain('export default api({');
  });

  it('have the group in their names where kinds of several groups would share one', async () => {
    const cwd = folder({ 'a.yaml': oven('example.com'), 'b.yaml': oven('example.org') });
    await importDefinitions({ input: ['a.yaml', 'b.yaml'], cwd });
    expect(readdirSync(join(cwd, 'api'))).toEqual(['oven.example.com.ts', 'oven.example.org.ts']);
  });

  it('are not written if a definition occurs twice', async () => {
    const cwd = folder({ 'a.yaml': oven('example.com'), 'b.yaml': oven('example.com') });
    const { problems } = await importDefinitions({ input: ['a.yaml', 'b.yaml'], cwd });
    expect(problems.map(({ what }) => what)).toEqual([
      'ovens.example.com is defined twice: leave one of the files out',
    ]);
    expect(readdirSync(join(cwd, 'api'))).toEqual([]);
  });

  it('have the address of a webhook', async () => {
    const url =
      'conversion: { strategy: Webhook, webhook: { conversionReviewVersions: [v1], clientConfig: { url: "https://x.example/a" } } }';
    const cwd = folder({ 'a.yaml': oven('example.com', url) });
    expect(await importDefinitions({ input: ['a.yaml'], cwd })).toMatchObject({ ok: true });
    expect(readFileSync(join(cwd, 'api/oven.ts'), 'utf8')).toContain(
      "conversion: { url: 'https://x.example/a' }",
    );
  });
});
