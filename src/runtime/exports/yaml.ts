/** Reads and writes YAML as Kubernetes does. */

export { dumpAllYaml, dumpYaml } from '../yaml/dump.ts';
export type { LoadYamlOptions } from '../yaml/load.ts';
export { loadAllYaml, loadYaml } from '../yaml/load.ts';
