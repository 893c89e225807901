/** Files of a deployment in `config/`: kustomize base and components, one manifest, a chart. Pure. */
import { dump } from 'js-yaml';
import { chartFiles } from './chart.ts';
import { plainPrinter, valuesOf } from './values.ts';
import {
  type Deployment,
  header,
  monitoringText,
  networkPolicyText,
  withoutHeader,
  workloadText,
} from './workload.ts';

/**
 * Returns the files by their paths.
 * @param manifests files of definitions, permissions and webhooks in the same folder
 */
export function deploymentFiles(
  deployment: Deployment,
  manifests: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const { name, namespace, settings } = deployment;
  const rows = valuesOf(name, settings);
  const printer = plainPrinter(rows, namespace);
  const workload = header + workloadText(deployment, printer);
  const base = [...manifests.keys(), 'manager/manager.yaml'].sort();
  const kustomization = (kind: string, resources: readonly string[]): string =>
    header +
    dump({
      apiVersion: `kustomize.config.k8s.io/v1${kind === 'Component' ? 'alpha1' : 'beta1'}`,
      kind,
      resources,
    });
  const documents = [...[...manifests].sort(inOrder).map(([, text]) => text), workload];
  return new Map([
    ['manager/manager.yaml', workload],
    ['kustomization.yaml', kustomization('Kustomization', base)],
    ['install.yaml', header + documents.map(withoutHeader).join('---\n')],
    ['monitoring/monitor.yaml', header + monitoringText(deployment, printer)],
    ['monitoring/kustomization.yaml', kustomization('Component', ['monitor.yaml'])],
    ['network-policy/policy.yaml', header + networkPolicyText(deployment, printer)],
    ['network-policy/kustomization.yaml', kustomization('Component', ['policy.yaml'])],
    ...chartFiles(deployment, rows, manifests),
  ]);
}

/** Definitions and accounts exist before the objects that need them. */
function inOrder([a]: readonly [string, string], [b]: readonly [string, string]): number {
  const place = (path: string): string => `${path.startsWith('crd/') ? 0 : 1}${path}`;
  return place(a) < place(b) ? -1 : 1;
}
