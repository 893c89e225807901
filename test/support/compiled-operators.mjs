// The operators of `examples`, compiled, with the options of their simulations.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

const operators = {
  myapp: {
    crd: 'myapp.yaml',
    resource: ['my.domain/v1', 'myApps'],
  },
  foo: {
    crd: 'foo.yaml',
    resource: ['samplecontroller.c9g.io/v1alpha1', 'foos'],
  },
  rediscluster: {
    crd: 'rediscluster.yaml',
    resource: ['cache.example.com/v1', 'redisClusters'],
    // A backup of a RedisCluster is kept after its deletion.
    outlives: ({ kind }) => kind === 'Job',
  },
};

/** Names of the operators. */
export const names = Object.keys(operators);

/** Compiles the packages and the operators, if they are older than their sources. */
export function compile() {
  for (const args of [['scripts/setup.mjs'], ['node_modules/typescript/bin/tsc', '-b', 'examples']]) {
    const { status } = spawnSync(process.execPath, args, { cwd: fileURLToPath(root), stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}

/** Loads a compiled operator. Returns it with the options of its simulation. */
export async function load(name) {
  const { crd, resource, ...options } = operators[name];
  const { samplesOf } = await import('@kgen/testing');
  const path = `examples/dist/examples/operators/${name}/src/operator.js`;
  const { operator } = await import(new URL(path, root));
  const [version, descriptor] = resource;
  const client = await import(new URL(`examples/dist/generated/crds/${version}/index.js`, root));
  const samples = samplesOf(client[descriptor]);
  return {
    operator,
    options: { crds: [fileURLToPath(new URL(`crds/${crd}`, root))], samples, ...options },
  };
}
