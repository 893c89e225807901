import { packageOf } from '../../common/names.ts';
import type { GroupVersionName } from '../ir.ts';
import { isKubernetesOwn, shortNameOf } from '../names/full-names.ts';

/**
 * Returns the address of a definition in the API reference of a minor version of Kubernetes, or `undefined`
 * if it has no page.
 */
export function referencePage(
  name: string,
  { group, version }: GroupVersionName,
  kubernetesVersion: string | undefined,
): string | undefined {
  if (kubernetesVersion === undefined || !/^\d+\.\d+$/.test(kubernetesVersion) || !isKubernetesOwn(name))
    return undefined;
  // Definitions without a version, such as that of the server's own version, have no page.
  if (!packageOf(name).endsWith(`.${version}`)) return undefined;
  const anchor = [shortNameOf(name), version, (group === '' ? 'core' : group).replaceAll('.', '-')].join('-');
  const page = `https://kubernetes.io/docs/reference/generated/kubernetes-api/v${kubernetesVersion}/`;
  return `${page}#${anchor.toLowerCase()}`;
}
