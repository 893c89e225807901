/** The `yaml` package for positions in documents. */
import { createRequire } from 'node:module';
import type { Yaml } from '../reading/nodes.ts';

const require = createRequire(import.meta.url);

/** Synchronous and on first use, so that a position needs no promise and costs nothing before. */
export function loadYaml(): Yaml {
  return require('yaml') as Yaml; // seam: require() is untyped
}
