import { type Checked, formatProblem } from '../common/problems.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { type Described, type DescribeInput, describeApi } from './describe.ts';
import type { ApiDocument, ApiResource } from './types.ts';

/** Prefix of references to schemas in a v3 document. */
export const v3Home = '#/components/schemas/';

/** Returns an OpenAPI v3 document. */
export function v3(schemas: JsonObject, paths: JsonObject = {}, file = 'v3.json'): ApiDocument {
  return {
    dialect: 3,
    value: { openapi: '3.0.0', paths, components: { schemas } },
    file,
  };
}

/** Returns an OpenAPI v2 document. */
export function v2(
  definitions: JsonObject,
  paths: JsonObject = {},
  more: JsonObject = {},
  file = 'v2.json',
): ApiDocument {
  const value = { swagger: '2.0', paths, definitions, ...more };
  return { dialect: 2, value, file };
}

/** Returns the result of `describeApi`, with its problems as strings. */
export function described(
  documents: readonly ApiDocument[],
  more: Partial<DescribeInput> = {},
): Described & { readonly stated: readonly string[] } {
  const result: Checked<Described> = describeApi({ documents, crds: [], ...more });
  return { ...result.value, stated: result.problems.map(formatProblem) };
}

/** Returns the schema of a definition. */
export function schemaIn({ api }: Described, name: string): JsonValue | undefined {
  return api.definitions.get(name)?.schema;
}

/** Returns the resource of `apps/v1 deployments` or `v1 pods`. */
export function resourceIn({ api }: Described, text: string): ApiResource | undefined {
  const [apiVersion = '', plural] = text.split(' ');
  const [version, group = ''] = apiVersion.split('/').reverse();
  return api.groupVersions
    .find((each) => each.group === group && each.version === version)
    ?.resources.find((each) => each.plural === plural);
}

/** Returns an operation of a v3 document. */
export function operation(action: string, kind: string, more: JsonObject = {}): JsonObject {
  const [name = '', version = '', group = ''] = kind.split('/').reverse();
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind: name },
    ...more,
  };
}

/** Returns the content of a request or response in a v3 document. */
export function content(ref: string, type = 'application/json'): JsonObject {
  return { content: { [type]: { schema: { $ref: `${v3Home}${ref}` } } } };
}

/** Returns the extension that declares the kinds of a definition: `apps/v1/Deployment`, `v1/Pod`. */
export function claim(...kinds: readonly string[]): JsonObject {
  const list = kinds.map((kind) => {
    const [name = '', version = '', group = ''] = kind.split('/').reverse();
    return { group, version, kind: name };
  });
  return { 'x-kubernetes-group-version-kind': list };
}
