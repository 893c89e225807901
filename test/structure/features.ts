/**
 * Features of the packages with their lines and their users. `node scripts/review.mjs --features` prints
 * them: a feature with many lines and few users is a candidate for removal.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { filesIn } from './comments.ts';
import { edgesOf, sources } from './sources.ts';

/** Name, folders and entry points, and the terms of which a user of the feature names one. */
const features = `
exec, attach, port-forward, copies | src/runtime/client/streams @kgen/runtime/streams | exec( attach( portForward copyFrom copyTo
drain, rollout, permissions, usage | src/runtime/client/tools @kgen/runtime/tools | drain cordon rolloutStatus rolloutRestart canI topNodes topPods
leader election | src/runtime/control/election @kgen/runtime/election | LeaderElector leaderElection
work queue | src/runtime/control/queue @kgen/runtime/queue | WorkQueue
projections | src/runtime/codec/projection | select: pick:
integers beyond 2^53 | src/runtime/codec/integers | int64 setInt64
JSONPath | src/runtime/values/jsonpath | jsonPath JSONPath
proxies | src/runtime/rest/proxy | proxyUrl proxy-url
channels and log of requests | src/runtime/rest/observe @kgen/runtime/observe | NODE_DEBUG requestChannel attemptChannel responseChannel
discovery, RESTMapper | src/runtime/discovery @kgen/runtime/discovery | DiscoveryClient RESTMapper
dynamic clients | src/runtime/dynamic @kgen/runtime/dynamic | DynamicClient
metadata clients | src/runtime/dynamic/metadata | MetadataClient
scale clients | src/runtime/dynamic/scale | ScaleClient
tables of clients | src/runtime/dynamic/tables | tableText watchTable getTable
manifests | src/runtime/manifests @kgen/runtime/manifests | applyManifests createManifests deleteManifests
edits of kubeconfigs | src/runtime/config/editing | loadKubeconfig
exec plugins | src/runtime/auth/exec | ExecCredential plugin plugins exec:
OIDC | src/runtime/auth/oidc | OIDC oidc
listers | src/runtime/cache/lister | lister listers Lister
waits | src/runtime/watch/wait | until( untilObjects waitFor
YAML | src/runtime/yaml @kgen/runtime/yaml | loadYaml loadAllYaml dumpYaml dumpAllYaml
protobuf of clients | src/runtime/protobuf src/runtime/rest/protobuf @kgen/runtime/protobuf | protobuf
protobuf of the generator | src/kgen/protobuf src/kgen/emit/protobuf | --protobuf --no-protobuf codecs
paths.ts | src/kgen/paths | --paths paths.ts
JSON Schemas | src/kgen/generate/json-schema | --json-schema jsonSchema
members that exclude each other | src/schema/exclusive | --exactly-one exactlyOne
type checks of the output | src/kgen/typecheck | --verify --check
codemods | src/kgen/codemod | codemod
changes of definitions | src/kgen/manifests/changes | --against
contracts | src/kgen/contract src/testing/contract-tests kgen/contract | contractTests drifts
dependents | src/controller/dependents | OwnedDependents
sharding | src/controller/sharding | sharding shards shard
masks of Secrets | src/controller/secrecy | masked redacted
recorder | src/controller/recorder | recorder recording recordings
records of reconciles | src/controller/records | records onRecord
loops of writes | src/controller/loops | loop loops onLoop
spans | src/controller/tracing | spans span OpenTelemetry opentelemetry
metrics | src/controller/metrics | metrics
health endpoints | src/controller/health | readyz healthz livez
events | src/controller/events | record.event EventRecorder
table printers of the server | src/testserver/routing/tables | Table tableText kubectl
OpenAPI of the server | src/testserver/routing/openapi | openapi openAPIV3 openAPIV2
workloads of the server | src/testserver/controllers/workloads | Deployment StatefulSet DaemonSet Job
kubelet of the server | src/testserver/controllers/kubelet | kubelet
Services of the server | src/testserver/controllers/services | EndpointSlice EndpointSlices endpointSlices
SPDY of the server | src/testserver/streams/spdy | SPDY spdy
webhooks of the server | src/testserver/webhooks | webhook webhooks
RBAC of the server | src/testserver/access | rbac RBAC
CEL | src/schema/cel | CEL x-kubernetes-validations
simulation | src/testing/operators/simulate | simulate
leaks in simulations | src/testing/operators/simulate/endurance | leak leaks endurance
replay | src/testing/operators/simulate/replay | replay
table tests | src/testing/operators/simulate/table | tableTests
matchers | src/testing/operators/matchers | simulationMatchers toPassSimulation
samples | src/testing/samples | sample samples
real control plane | src/testing/controlplane | startControlPlane`
  .trim()
  .split('\n')
  .map((line) => line.split(' | '));

/** Lines of a feature, without tests, and the number of its users. */
export interface FeatureRow {
  readonly name: string;
  readonly lines: number;
  /** Modules outside of the feature that import it; exports of a package are not counted. */
  readonly modules: number;
  /** README.md and pages of docs, without docs/design, that name it. */
  readonly pages: number;
  /** Files below test and examples that name it. */
  readonly tests: number;
}

/** Returns the rows of all features, those with the most lines first. */
export function featureRows(): readonly FeatureRow[] {
  const edges = sources
    .flatMap(edgesOf)
    .filter(({ from }) => !/\/exports\/|^src\/[a-z]+\/index\.ts$/.test(from));
  const docs = filesBelow(join(repository, 'docs'), '.md').filter((path) => !path.includes('/'));
  const pages = ['README.md', ...docs.map((path) => `docs/${path}`)].map((path) =>
    readFileSync(join(repository, path), 'utf8'),
  );
  const tests = [...filesIn('test'), ...filesIn('examples')]
    .filter(({ path }) => path !== 'test/structure/features.ts')
    .map(({ text }) => text);
  const rows = features.map(([name = '', paths = '', terms = '']): FeatureRow => {
    const prefixes = paths.split(' ');
    const within = (path: string): boolean =>
      prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    const users = edges.filter(({ from, to }) => within(to) && !within(from)).map(({ from }) => from);
    const naming = namingOf(terms);
    return {
      name,
      lines: sources
        .filter(({ path }) => within(path))
        .reduce((total, { file }) => total + file.text.split('\n').length - 1, 0),
      modules: new Set(users).size,
      pages: pages.filter((text) => naming.test(text)).length,
      tests: tests.filter((text) => naming.test(text)).length,
    };
  });
  return rows.sort((one, other) => other.lines - one.lines);
}

/** Returns the expression that matches one of the terms, separated by spaces, as a word of its own. */
function namingOf(terms: string): RegExp {
  const words = terms.split(' ').map((term) => term.replace(/[.()]/g, '\\$&'));
  return new RegExp(`(?<![\\w-])(?:${words.join('|')})(?!\\w)`);
}
