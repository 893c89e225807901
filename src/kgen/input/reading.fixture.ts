import { formatProblem } from '../common/problems.ts';
import type { CrdDefinition } from './crd/crd.ts';
import { readDefinition } from './crd/definition.ts';
import { readSource } from './reading/documents.ts';
import { EqualValues } from './reading/equal-values.ts';
import { createParser } from './reading/yaml.ts';
import { loadYaml } from './sources/load-yaml.ts';

/** CRDs of a document, and its problems as shown to users. */
export interface Reading {
  readonly crds: readonly CrdDefinition[];
  readonly skipped: number;
  readonly problems: readonly string[];
}

/** Reads a string as if it were a file called `in.yaml`. */
export function readText(text: string, file = 'in.yaml'): Reading {
  const content = readSource({ file, text }, { parse: createParser(), loadYaml });
  const values = new EqualValues();
  for (const { value } of content.crds) values.share(value);
  const definitions = content.crds.map(readDefinition);
  return {
    crds: definitions.map(({ value }) => value).filter((value) => value !== undefined),
    skipped: content.skipped,
    problems: [
      ...content.problems,
      ...content.partial.flatMap(({ problems }) => problems),
      ...definitions.flatMap(({ problems }) => problems),
    ].map(formatProblem),
  };
}

/** Returns a small CRD in the group `my.domain`. `schema` is YAML in flow style. */
export function crdText(kind: string, schema = '{type: object}'): string {
  const plural = `${kind.toLowerCase()}s`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.my.domain
spec:
  group: my.domain
  scope: Namespaced
  names:
    kind: ${kind}
    plural: ${plural}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: ${schema}
`;
}
