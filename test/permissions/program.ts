/** Needs of small programs, which are compiled together. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Project, ts } from 'ts-morph';
import type { InputProblem } from '../../src/kgen/common/problems.ts';
import { type Need, resourceText, scopeText } from '../../src/kgen/manifests/permissions/needs.ts';
import {
  needsOfProgram,
  type PermissionsOptions,
  scanProgram,
} from '../../src/kgen/manifests/permissions/permissions.ts';
import type { ServedMetrics } from '../../src/kgen/manifests/permissions/scan.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Imports of all programs; the compiler ignores those that a program does not use. */
export const imports = `import { Clientset, InformerFactory as AllInformers } from '@kgen/kubernetes';
import { deployments, statefulSets, type Deployment } from '@kgen/kubernetes/apps/v1';
import { configMaps, namespaces, nodes, podProxy, pods, secrets, watchPods, type ConfigMap, type Pod, type PodClient } from '@kgen/kubernetes/core/v1';
import { leases } from '@kgen/kubernetes/coordination.k8s.io/v1';
import { converts, defaults, migrateStorage, registerWebhooks, unregisterWebhooks, validates, webhooks } from '@kgen/controller/webhooks';
import { Controller, dependent, EventRecorder, Manager, OwnedDependents, type ManagerOptions } from '@kgen/controller';
import { InformerFactory, loadConfig, resource, RESTClient, until, watchResource, type ClusterConfig, type Stored } from '@kgen/runtime';
import { connectRequest, type AllNamespaces, type Apply, type Get } from '@kgen/runtime/client';
import { DynamicClient, dynamicResource, MetadataClient, ObjectsClient, ScaleClient } from '@kgen/runtime/dynamic';
import { LeaderElector } from '@kgen/runtime/election';
import { listWatch } from '@kgen/runtime/informers';
import { applyManifests, createManifests, deleteManifests, manifest } from '@kgen/runtime/manifests';
import { ownerReference, setControllerReference, setOwnerReference } from '@kgen/runtime/objects';
import { copyFrom, copyTo, streamLogs } from '@kgen/runtime/streams';
import { canI, cordon, drain, rolloutRestart, rolloutStatus, topNodes, topPods } from '@kgen/runtime/tools';
import { type RedisCluster, redisClusters } from '../../generated/crds/cache.example.com/v1/index.js';
import { Clientset as Crds } from '../../generated/crds/clientset.js';
const config: ClusterConfig = await loadConfig();
const kubernetes = new Clientset(config);
const crds = new Crds(kubernetes);
const { rest } = kubernetes;
declare const text: string;
declare const cluster: Stored<RedisCluster>;
`;

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};
/** Shared, so that declarations are read once. */
let project: Project | undefined;

/** Returns the needs and problems of programs, each in one file of one program of the compiler. */
export function needsOf(
  texts: readonly string[],
  stated?: PermissionsOptions['stated'],
): readonly { readonly needs: readonly string[]; readonly problems: readonly string[] }[] {
  project ??= new Project({ compilerOptions: options, skipFileDependencyResolution: true });
  const files = texts.map((text, index) => {
    const path = join(root, `test/permissions/case-${index}.ts`);
    return {
      path: `case-${index}.ts`,
      file: project?.createSourceFile(path, `${imports}${text}`, { overwrite: true }),
    };
  });
  const cwd = join(root, 'test/permissions');
  const program = project.getProgram().compilerObject;
  const wrong = files.flatMap(({ file }) =>
    program.getSemanticDiagnostics(program.getSourceFile(file?.getFilePath() ?? '')),
  );
  const found = needsOfProgram(program, { cwd, ...(stated !== undefined && { stated }) });
  for (const { file } of files) file?.forget();
  if (wrong.length > 0)
    throw new Error(wrong.map((each) => ts.flattenDiagnosticMessageText(each.messageText, '\n')).join('\n'));
  return files.map(({ path }) => ({
    needs: found.value.filter(({ place }) => place.file === path).map(needText),
    problems: found.problems.filter(({ where }) => where?.file === path).map(problemText),
  }));
}

/** Returns the metrics of a program. */
export function metricsOf(text: string): ServedMetrics | undefined {
  project ??= new Project({ compilerOptions: options, skipFileDependencyResolution: true });
  const cwd = join(root, 'test/permissions');
  const file = project.createSourceFile(join(cwd, 'metrics.ts'), `${imports}${text}`, { overwrite: true });
  const { value } = scanProgram(project.getProgram().compilerObject, { cwd });
  file.forget();
  return value.metrics;
}

const firstLine = imports.split('\n').length;

export function needText(need: Need): string {
  const names = need.names.length === 0 ? '' : ` ${need.names.join('|')}`;
  const place = need.scope.type === 'cluster' ? '' : ` ${scopeText(need.scope)}`;
  return `${need.verbs.join(',')} ${resourceText(need)}${names}${place}`;
}

function problemText({ where, what }: InputProblem): string {
  const line = where?.line === undefined ? '' : `${where.line - firstLine + 1}:${where.column}: `;
  return `${line}${what}`;
}
