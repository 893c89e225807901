/** CustomResourceDefinitions as plain objects, for tables. */

/** One version of a definition; `schema` is its `openAPIV3Schema`. */
export interface CrdVersion {
  readonly name?: string;
  readonly schema?: object | undefined;
  readonly [field: string]: unknown;
}

/** Properties of a definition in tables; all others are derived from `kind`. */
export interface CrdOptions {
  readonly kind: string;
  readonly group?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly names?: object;
  readonly versions?: readonly CrdVersion[];
}

/** Returns a definition of apiextensions.k8s.io/v1 with the version `v1`, unless `versions` are set. */
export function crd(options: CrdOptions): object {
  const { kind, group = 'tables.example.com', scope = 'Namespaced', versions = [{}] } = options;
  const names = {
    kind,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    ...options.names,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.${group}` },
    spec: { group, scope, names, versions: versions.map(crdVersion) },
  };
}

function crdVersion({ name = 'v1', schema, ...others }: CrdVersion, index: number): object {
  return {
    name,
    served: true,
    storage: index === 0,
    ...(schema === undefined ? {} : { schema: { openAPIV3Schema: schema } }),
    ...others,
  };
}
