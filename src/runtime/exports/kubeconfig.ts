/** Reads, changes and writes kubeconfig files. */

export type {
  Kubeconfig,
  KubeconfigChanges,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
} from '../config/kubeconfig/kubeconfig.ts';
export type { KubeconfigSelection } from '../config/kubeconfig/select.ts';
export type { KubeconfigOptions, ParseKubeconfigOptions } from '../config/load.ts';
export { loadKubeconfig, parseKubeconfig } from '../config/load.ts';
