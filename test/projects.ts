/**
 * Assignment of test files to the projects of `vitest.config.ts`. `npm test` runs `unit`, `memory`, `alone`
 * and `types`, which need Node alone; `npm run test:server` runs `server` and `shared`; `npm run test:all`
 * runs every project. `ci` is for tests that a contributor's next change rarely breaks, or that only measure
 * the repository itself: `.ci/run` and `npm run test:all` run it.
 *
 * A file below `src` is in `unit` and a file below `test` is in `memory`, unless it is listed here.
 */

/**
 * Files that need a worker of their own, because they replace modules, change global state, or measure the
 * memory or the connections of their process: in `alone`.
 */
export const alone: readonly string[] = [
  'src/runtime/api/errors.test.ts',
  'src/runtime/client/protobuf-lazy.test.ts',
  // Managers of other tests are observers.
  'src/runtime/rest/observe/observe.test.ts',
  'src/kgen/typecheck/loading.test.ts',
  'test/dynamic/memory.test.ts',
  'test/replay/secrets.test.ts',
  'test/simulate/!(bugs|correct|examples|interleavings|leaks|permissions|planted|ported|seeds-*|services).test.ts',
  'test/streams/{connections,pty}.test.ts',
  'test/transport/*.test.ts',
  'test/windows/*.test.ts',
];

/** Files that only `.ci/run` and `npm run test:all` run, in a worker of their own each. */
export const ci: readonly string[] = [
  // Programs of documents, and packages as they are published.
  'test/documentation/!(walkthroughs).test.ts',
  'test/bundles/*.test.ts',
  'test/packages/*.test.ts',
  // Clients of earlier releases.
  'test/compatibility/fixtures.test.ts',
  // The prose and style of the repository, figures of its files, exports without a use, and quadratic
  // regular expressions: each reads all sources.
  'test/structure/{docs,exports,expressions,prose,review,style}.test.ts',
  'test/structure/packages.test.ts',
  // Scripts that contributors rarely change.
  'test/envtest/build.test.ts',
  'test/mutate/*.test.ts',
  'test/project/*.test.ts',
  // Processes of a command.
  'test/serve/serve.test.ts',
  // A browser.
  'test/site/*.test.ts',
  'test/view/*.test.ts',
  // Commands and caches of kgen whose compilers read whole programs again and again.
  'src/kgen/cli/commands/{codemod,manifests}.test.ts',
  'src/kgen/manifests/cached-output.test.ts',
  'src/kgen/manifests/webhooks/webhook-files.test.ts',
  'test/migration/memory.test.ts',
  'test/permissions/{command,tables}.test.ts',
  // Long inputs, processes and memory.
  'test/allocations/*.test.ts',
  'test/contracts/{command,node-test}.test.ts',
  'src/kgen/model/hostile.test.ts',
  'test/faults/{connect,faults,process}.test.ts',
  'test/fuzz/{samples,size}.test.ts',
  'test/informers/{exit,many}.test.ts',
  'test/operator-tools/*.test.ts',
  'test/simulate/{bugs,correct,examples,interleavings,leaks,permissions,planted,ported,seeds-*,services}.test.ts',
  'test/types/{exclusive,hostile,kubernetes}.test.ts',
];

/** Files below `test` that only compute, and therefore share modules as those below `src` do: in `unit`. */
export const together: readonly string[] = [
  'test/api/coverage.test.ts',
  'test/bench/*.test.ts',
  'test/fuzz/!(samples|values-corpus|size).test.ts',
  'test/golden/*.test.ts',
  'test/streams/{frames,spdy-frames}.test.ts',
  'test/structure/!(docs|exports|expressions|packages|prose|review|style).test.ts',
];

/** Files that run the TypeScript compiler or its language service over whole projects. */
export const types: readonly string[] = [
  'src/kgen/paths/compiles.test.ts',
  'src/kgen/typecheck/services.test.ts',
  'test/hover/*.test.ts',
  'test/permissions/!(command|tables).test.ts',
  'test/types/!(compile-corpus|exclusive|hostile|kubernetes).test.ts',
];

/** Files that need the public documents in the folder `KGEN_CORPUS`, and nothing else. */
export const corpus: readonly string[] = [
  'src/**/corpus.test.ts',
  'src/**/*-corpus.test.ts',
  'test/**/*-corpus.test.ts',
  'test/protobuf/golden.test.ts',
];

/** Files that need Kubernetes' own programs or Go; missing programs are built with Go. */
export const server: readonly string[] = [
  'src/kgen/cluster/real.test.ts',
  'src/kgen/openapi/live.test.ts',
  'src/testing/contract/{contract,kinds}.test.ts',
  'src/testing/controlplane/controlplane.test.ts',
  'src/testing/controlplane/runner.test.ts',
  'test/api/{operations,parity}.test.ts',
  'test/controller-gen/*.test.ts',
  'test/deploy/{laptop,real}.test.ts',
  'test/deployment/*.test.ts',
  'test/discovery/*.test.ts',
  'test/documentation/walkthroughs.test.ts',
  'test/e2e/{paging-real,real}.test.ts',
  'test/e2e-*/**/*.test.ts',
  'test/envtest/fields/fields.test.ts',
  'test/k8s-e2e/*.test.ts',
  'test/kubeconfig/{credentials,random-edits,validation,view,write}.test.ts',
  'test/gitops/*.test.ts',
  'test/helm/*.test.ts',
  'test/kubectl-cmd/*.test.ts',
  'test/manifests/chart.test.ts',
  'test/olm/*.test.ts',
  'test/openapi-typescript/*.test.ts',
  'test/streams/kubelet.test.ts',
  'test/sequences/real.test.ts',
  'test/serve/languages.test.ts',
  'test/webhook-certificates/rotation.test.ts',
  'test/protobuf/{altered-objects,differential,invalid-objects-go,kinds,unknown}.test.ts',
];

/** Files that share one control plane: see `test/support/shared-plane.ts`. */
export const shared: readonly string[] = [
  'test/{access,bad-input,contracts,definitions,dependents,migration,webhook-certificates,writes}/real.test.ts',
  'test/{client-go/client-go,kubectl/kubectl,kubectl/streams}.test.ts',
  'test/dynamic/real.test.ts',
  'test/manifests/{kubectl,manifests}.test.ts',
];

/** Files that take longest, which start first: a long one that starts last would run alone at the end. */
export const longest: readonly string[] = [
  'test/k8s-e2e/sample.test.ts',
  'test/e2e-election/election.test.ts',
  'test/e2e-informers/cuts.test.ts',
  'test/e2e-informers/compaction.test.ts',
  'test/e2e-informers/versions.test.ts',
  'test/e2e-operators/myapp.test.ts',
  'test/e2e-operators/rediscluster.test.ts',
  'test/e2e-operators/foo.test.ts',
  'test/e2e/real.test.ts',
  'test/e2e-kubernetes/kubernetes.test.ts',
  'test/e2e-protobuf/versions.test.ts',
  'test/faults/random.test.ts',
  'test/simulate/seeds-apps.test.ts',
  'test/types/compile.test.ts',
  'test/simulate/seeds-clusters.test.ts',
  'test/protobuf/fuzz-bytes.test.ts',
  'test/protobuf/fuzz-fields.test.ts',
  'test/types/kubernetes.test.ts',
  'test/informers/schedules.test.ts',
  'test/simulate/histories.test.ts',
  'test/fuzz/schemas.test.ts',
  'test/e2e/memory.test.ts',
  'test/informers/many.test.ts',
  'test/types/compile-corpus.test.ts',
];
