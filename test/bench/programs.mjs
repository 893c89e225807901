// The measured programs: one small program in every dialect (it lists the pods of a namespace and prints
// their number), and one for a CRD. Programs not marked as TypeScript are JavaScript, too.

/** With kgen's packages. */
export const everyPod = {
  /** One group version, imported by the tree-shakeable entry point. */
  single: `
import { loadConfig, RESTClient, resource } from '@kgen/runtime';
import { pods } from '@kgen/kubernetes/core/v1';
const rest = new RESTClient(await loadConfig());
console.log((await resource(rest, pods).in('shop').list()).items.length);
`,
  whole: `
import { loadConfig } from '@kgen/runtime';
import { Clientset } from '@kgen/kubernetes';
const clientset = new Clientset(await loadConfig());
console.log((await clientset.coreV1.pods('shop').list()).items.length);
`,
};

/** TypeScript: that program by path. */
export const everyPodByPath = `
import { loadConfig, RESTClient } from '@kgen/runtime';
import type { paths } from '@kgen/kubernetes/paths';
const rest = new RESTClient<paths>(await loadConfig());
const list = await rest.get('/api/v1/namespaces/{namespace}/pods', { path: { namespace: 'shop' } });
console.log(list.items.length);
`;

export const everyPodOfClientNode = `
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
const config = new KubeConfig();
config.loadFromDefault();
const list = await config.makeApiClient(CoreV1Api).listNamespacedPod({ namespace: 'shop' });
console.log(list.items.length);
`;

/** TypeScript: a program with the client that kgen writes from the CRDs of Argo CD into `generated`. */
export const applications = `
import { Clientset } from './generated/index.js';
import type { ClusterConfig } from '@kgen/runtime';

export async function run(config: ClusterConfig): Promise<string[]> {
  const clientset = new Clientset(config);
  const applications = clientset.argoprojV1alpha1.applications('argocd');
  await applications.create({
    metadata: { name: 'shop' },
    spec: { project: 'default', destination: { namespace: 'shop' }, source: { repoURL: 'https://example.com/shop.git', path: 'deploy' } },
  });
  await applications.patch('shop', { spec: { project: 'other' } });
  const names: string[] = [];
  for (const application of (await applications.list()).items) names.push(application.metadata.name);
  return names;
}
`;

/** TypeScript: a program with the client that kgen writes from definitions of workflows into `folder`. */
export const workflows = (folder) => `
import { Clientset } from './${folder}/index.js';
import type { ClusterConfig } from '@kgen/runtime';

export async function run(config: ClusterConfig): Promise<string[]> {
  const clientset = new Clientset(config);
  const workflows = clientset.workflowsV1alpha1.workflows('shop');
  await workflows.create({
    metadata: { name: 'build' },
    spec: { entrypoint: 'main', templates: [{ name: 'main', container: { name: 'main', image: 'node:24' } }] },
  });
  await workflows.patch('build', { spec: { suspend: true } });
  const names: string[] = [];
  for (const workflow of (await workflows.list()).items) names.push(workflow.metadata.name);
  return names;
}
`;
