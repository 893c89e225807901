import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { RESTClient } from '@kgen/runtime';
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatProblem } from '../../src/kgen/common/problems.ts';
import { typeChanges } from '../../src/kgen/typecheck/compare/changes.ts';
import { buildTimeoutMs, findKubectl } from '../support/kubectl.ts';
import { installDefinitions } from '../support/sample-definitions.ts';
import { type Detour, withoutAggregation, withoutBoth, withoutV3 } from './detours.ts';
import { fromCluster, isPackagedVersion } from './from-cluster.ts';
import { kubernetes, modulesOf, type Output, type OutputFolder, writeFiles } from './outputs.ts';
import {
  type DiscoveredResource,
  discovered,
  generated,
  type KubectlResource,
  printedByKubectl,
} from './resource-facts.ts';
import { groupVersionPaths, isPublished, patience } from './server-documents.ts';

const nothingSkipped = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;
const canStart = nothingSkipped || controlPlaneAvailability().available;

describe.skipIf(!canStart)('the API that kgen reads from a real server', () => {
  let plane: ControlPlane;
  let admin: RESTClient;
  let folder: string;
  let output: Output;
  let written: OutputFolder;
  let stated: readonly DiscoveredResource[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kgen-parity-'));
    plane = await startControlPlane({ apiServerFlags: ['--runtime-config=api/all=true'] });
    admin = new RESTClient(plane.config, { onWarning: () => undefined });
    await installDefinitions(admin);
    await vi.waitFor(async () => expect(await isPublished(admin)).toBe(true), patience);
    output = await fromCluster(plane.config);
    written = writeFiles(output.files);
    stated = await generated(modulesOf(written.folder), output.files.keys());
  });
  afterAll(async () => {
    written?.dispose();
    await admin?.close();
    await plane?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  test('is read without a warning', () => {
    expect(output.problems.map(formatProblem)).toEqual([]);
  });

  test('equals the discovery lists in each resource and subresource', async () => {
    expect(stated.length).toBeGreaterThan(85);
    expect(stated).toEqual(await discovered(admin));
  });

  test('equals the descriptors of @kgen/kubernetes, except for custom resources', async ({ skip }) => {
    if (!(await isPackagedVersion(admin))) skip('the package is generated from another version');
    const isCustom = ({ apiVersion }: DiscoveredResource): boolean =>
      customGroups.includes(apiVersion.split('/')[0] ?? '');
    const paths = readdirSync(kubernetes, { recursive: true, encoding: 'utf8' });
    expect(await generated(modulesOf(kubernetes), paths)).toEqual(stated.filter((one) => !isCustom(one)));
  });

  test('equals the output of kubectl in each resource', { timeout: buildTimeoutMs }, ({ skip }) => {
    const kubectl = findKubectl(plane.assets, nothingSkipped);
    if (kubectl === undefined)
      return skip('kubectl is not installed: `node test/envtest/build.mjs kubectl` builds it');
    const kubeconfig = join(folder, 'admin');
    writeFileSync(kubeconfig, plane.kubeconfig);
    const printed = printedByKubectl(kubectl, kubeconfig, join(folder, 'kubectl-cache'));
    const isPrinted = (one: KubectlResource): boolean =>
      printed.some(({ apiVersion, plural }) => apiVersion === one.apiVersion && plural === one.plural);
    expect(stated.filter(isPrinted).map(shownOf)).toEqual(printed);
    // kubectl prints the preferred version of each resource; a resource may be missing only in other
    // versions.
    expect(namesOf(stated)).toEqual(namesOf(printed));
  });

  test('has the same types without OpenAPI v3, except for defaults of built-in fields', async () => {
    const older = await fromCluster(plane.config, withoutV3);
    expect(older.problems).toEqual([]);
    const changes = await typeChanges(output.files, older.files);
    expect(changes).toEqual([]);
    expect(differing(bare(output), bare(older))).toEqual([]);
    expect(differing(output, older)).toContain('core/v1/types.ts');
    const oldest = await fromCluster(plane.config, withoutBoth);
    expect(oldest.problems).toEqual([]);
    expect(differing(older, oldest)).toEqual([]);
  });

  test('is the same without aggregated discovery', async () => {
    const older = await fromCluster(plane.config, withoutAggregation);
    expect(older.problems).toEqual([]);
    expect(differing(output, older)).toEqual([]);
  });

  test('has the same types for a user with discovery permissions only, except for deprecated CRD versions', async () => {
    const reader = await plane.addUser('reader');
    const less = await fromCluster(reader);
    expect(less.problems).toEqual([]);
    const groups = new Set(differing(output, less).map((path) => path.split('/')[0] ?? ''));
    // The definition of this group has no printer columns, deprecation or constraints of metadata.
    expect([...groups].sort()).toEqual(customGroups.filter((group) => group !== 'samplecontroller.c9g.io'));
    const changes = await typeChanges(output.files, less.files);
    expect(changes.filter(({ change }) => change !== 'deprecated')).toEqual([]);
    expect(changes.map(({ module }) => module)).toContain('features.example.com/v1');
    const own = await generatedBy(less);
    expect(own).toEqual(stated);
  });

  describe('an aggregated API that is unavailable', () => {
    beforeAll(async () => {
      await admin.post(apiServices, { body: missingService });
      await vi.waitFor(async () => {
        expect(await groupVersionPaths(admin)).toContain(`/apis/${down.group}/${down.version}`);
        const reported = await admin.get(`${apiServices}/{name}/status`, {
          path: { name: missingService.metadata.name },
        });
        expect(reported).toMatchObject({ status: { conditions: [{ type: 'Available', status: 'False' }] } });
      }, patience);
    });
    afterAll(() => admin.delete(`${apiServices}/{name}`, { path: { name: missingService.metadata.name } }));

    test.each<{ discovery: string; detour: Detour }>([
      { discovery: 'aggregated', detour: (request) => request },
      { discovery: 'legacy', detour: withoutAggregation },
    ])('causes one warning only: $discovery discovery', async ({ detour }) => {
      const rest = await fromCluster(plane.config, detour);
      expect(rest.problems.map(formatProblem)).toEqual([
        expect.stringMatching(/warning: down\.example\.com\/v1 .*does not respond.*is left out/),
      ]);
      expect(differing(output, rest)).toEqual([]);
    });
  });
});

const customGroups: readonly string[] = [
  'cache.example.com',
  'features.example.com',
  'my.domain',
  'samplecontroller.c9g.io',
];

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const down = { group: 'down.example.com', version: 'v1' };
const missingService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `${down.version}.${down.group}` },
  spec: {
    ...down,
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { namespace: 'default', name: 'nobody' },
  },
};

/** Returns the resources in the descriptors of an output, which is written to a temporary folder. */
async function generatedBy({ files }: Output): Promise<readonly DiscoveredResource[]> {
  const { folder, dispose } = writeFiles(files);
  try {
    return await generated(modulesOf(folder), files.keys());
  } finally {
    dispose();
  }
}

/** Returns the paths of files that differ. */
function differing(one: Output, other: Output): readonly string[] {
  const paths = new Set([...one.files.keys(), ...other.files.keys()]);
  return [...paths].filter((path) => one.files.get(path) !== other.files.get(path));
}

/** Returns the output without the parts that only documents of v3 contain. */
function bare({ files, problems }: Output): Output {
  const withoutV3Parts = (path: string, text: string): string =>
    path.endsWith('/schemas.ts') ? schemasWithoutDefaults(text) : withoutDefaults(text);
  return { files: new Map([...files].map(([path, text]) => [path, withoutV3Parts(path, text)])), problems };
}

/**
 * Documents of v2 have no defaults, quantities and int-or-strings are strings, and DeleteOptions belongs to
 * all groups.
 */
const onlyInV3: readonly string[] = ['default', 'x-kubernetes-group-version-kind'];

/**
 * Returns the definitions of a module of schemas as JSON, without the parts that only v3 has, in any order.
 */
function schemasWithoutDefaults(text: string): string {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const exports: unknown = {};
  runInNewContext(outputText, { exports });
  return JSON.stringify(exports, (key, item: unknown) => {
    if (/\.(Quantity|IntOrString)$/.test(key) || onlyInV3.includes(key)) return undefined;
    if (typeof item === 'bigint') return `${item}n`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Returns a source without header, defaults and the layout of comments. */
function withoutDefaults(text: string): string {
  return text
    .replace(/^(\/\/.*\n)+/, '')
    .replace(/@default .*?(?=\*\/|$)/gm, '')
    .replace(/\/\*\*|\*\/|^ *\*(?!\/)/gm, ' ')
    .replace(/\s+/g, ' ');
}

function shownOf(facts: DiscoveredResource): KubectlResource {
  const { singular: _singular, subresources: _subresources, ...shown } = facts;
  return shown;
}

/** Returns distinct names such as `pods` and `deployments.apps`. */
function namesOf(facts: readonly KubectlResource[]): readonly string[] {
  const names = facts.map(({ apiVersion, plural }) => `${plural}.${apiVersion.replace(/\/?[^/]*$/, '')}`);
  return [...new Set(names)].sort();
}
