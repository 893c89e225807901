import { packageOf } from '../names.ts';
import { isKubernetesOwn, shortNameOf } from './full-names.ts';
import type { GroupVersionName } from './ir.ts';

/** Address of a definition in the reference of a minor version of Kubernetes; undefined where that does not have it. */
export function referencePage(
  name: string,
  { group, version }: GroupVersionName,
  kubernetesVersion: string | undefined,
): string | undefined {
  if (kubernetesVersion === undefined || !/^\d+\.\d+$/.test(kubernetesVersion) || !isKubernetesOwn(name))
    return undefined;
  // What is of no version, such as that of the server itself, has no page.
  if (!packageOf(name).endsWith(`.${version}`)) return undefined;
  const anchor = [shortNameOf(name), version, (group === '' ? 'core' : group).replaceAll('.', '-')].join('-');
  const page = `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${kubernetesVersion}/`;
  return `${page}#${anchor.toLowerCase()}`;
}
