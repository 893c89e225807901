/** A parsed path of the API. */
export interface ResourcePath {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Whether it contains a namespace. */
  readonly namespaced: boolean;
  /** Whether it contains the name of an object. */
  readonly named: boolean;
  readonly subresource?: string;
  /** Whether it ends with a wildcard: `proxy/{path}`. */
  readonly open: boolean;
  /** Whether it is one of the deprecated paths below `/watch/`. */
  readonly watch: boolean;
}

/**
 * Returns `undefined` for a path that does not address a resource. The first segment after the version
 * decides: `/namespaces/{name}` is an object, `/namespaces/{namespace}/pods` contains pods of a namespace.
 */
export function parsePath(path: string): ResourcePath | undefined {
  const [root, ...steps] = path.split('/').filter((step) => step !== '');
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : steps.shift();
  const version = steps.shift();
  const watch = steps[0] === 'watch';
  if (watch) steps.shift();
  const namespaced = steps.length > 2 && steps[0] === 'namespaces' && steps[1] === '{namespace}';
  if (namespaced) steps.splice(0, 2);
  const [plural, name, subresource, ...rest] = steps;
  if (group === undefined || version === undefined || plural === undefined) return undefined;
  const isKnown = name === undefined || isParameter(name);
  const isEnd = rest.length === 0 || (rest.length === 1 && rest[0] === '{path}');
  if (!isKnown || !isEnd || [group, version, plural, subresource ?? ''].some(isParameter)) return undefined;
  const found = {
    group,
    version,
    plural,
    namespaced,
    named: name !== undefined,
    open: rest.length > 0,
    watch,
  };
  return subresource === undefined ? found : { ...found, subresource };
}

function isParameter(step: string): boolean {
  return step.startsWith('{');
}
