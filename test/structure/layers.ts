/** Layers of the packages, which the picture in ARCHITECTURE.md shows. */

/**
 * Layers of the packages, lowest first: a module imports, types included, from lower layers or from its own
 * unit, a folder or a file.
 */
export const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  runtime: [
    ['common'],
    ['control/queue'],
    ['codec/integers'],
    ['api/meta.ts'],
    ['selectors'],
    ['api'],
    ['values', 'objects', 'patch', 'yaml'],
    ['codec', 'config'],
    ['protobuf'],
    ['auth'],
    ['rest'],
    ['watch'],
    ['client'],
    ['discovery'],
    ['dynamic'],
    ['manifests'],
    ['cache', 'control/election'],
    ['exports'],
  ],
  controller: [
    ['errors.ts', 'log.ts', 'members.ts'],
    ['apply', 'events', 'health', 'runs'],
    ['sources'],
    ['client'],
    ['secrecy', 'sharding'],
    ['loops', 'metrics'],
    ['records'],
    ['recorder', 'tracing'],
    ['controller'],
    ['dependents', 'manager'],
    ['webhooks'],
    ['index.ts'],
  ],
  certificates: [['der.ts', 'facts.ts'], ['requests.ts'], ['authority.ts']],
  schema: [
    ['kubernetes', 'values'],
    ['formats'],
    ['rules'],
    ['cel'],
    ['exclusive', 'validation'],
    ['definitions'],
  ],
  testserver: [
    ['environment'],
    ['errors'],
    ['store'],
    ['identity', 'webhooks'],
    ['request'],
    ['resources'],
    ['call', 'selectors'],
    ['managed'],
    ['access', 'patch'],
    ['decoding', 'streams'],
    ['admission'],
    ['verbs'],
    ['routing'],
    ['controllers', 'http'],
    ['server'],
    ['index.ts'],
  ],
  testing: [
    ['values'],
    ['controlplane', 'samples'],
    ['contract', 'contract-tests', 'fast-check.ts', 'operators'],
    ['index.ts'],
  ],
  kgen: [
    ['view'],
    ['common'],
    ['input/crd/crd-input.ts'],
    ['input/json.ts'],
    ['input'],
    ['openapi', 'write'],
    ['notation'],
    ['model'],
    ['protobuf'],
    ['emit'],
    ['codemod', 'contract', 'paths', 'typecheck'],
    ['manifests'],
    ['cluster'],
    ['config', 'manifests/changes'],
    ['project'],
    ['generate'],
    ['cli'],
    ['api.ts', 'index.ts'],
  ],
};

/** Place of a module in the layers of its package. */
export interface Place {
  readonly unit: string;
  readonly layer: number;
}

/** Returns the place of a module; `undefined` if no layer names it. */
export function placeOf(path: string): Place | undefined {
  const [, name = '', ...rest] = path.split('/');
  const below = rest.join('/');
  const known = layers[name] ?? [];
  const [unit] = known
    .flat()
    .filter((each) => below === each || below.startsWith(`${each}/`))
    .sort((a, b) => b.length - a.length);
  return unit === undefined ? undefined : { unit, layer: known.findIndex((units) => units.includes(unit)) };
}
