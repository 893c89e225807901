// Definitions with the size and shape of those of a workflow engine: 13 MB, in which the schema of a
// template, with containers, volumes and artifacts in many places, occurs nine times. Their parts of pods are
// those of the published OpenAPI document, with its descriptions.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Types of the engine with their fields, which are strings by default. `!` marks required fields, `<` a type
 * whose fields are added, and `core` a type of Kubernetes.
 */
const notation = `
Secret < core SecretKeySelector { }
Container < core Container { }
BasicAuth { passwordSecret: Secret, usernameSecret: Secret }
ClientCert { clientCertSecret: Secret, clientKeySecret: Secret }
OAuth2 { clientIDSecret: Secret, clientSecretSecret: Secret, endpointParams: []NameValue,
  scopes: []string, tokenURLSecret: Secret }
HttpAuth { basicAuth: BasicAuth, clientCert: ClientCert, oauth2: OAuth2 }
NameValue { name!, value! }
Encryption { enableEncryption: boolean, kmsEncryptionContext, kmsKeyId,
  serverSideCustomerKeySecret: Secret }
BucketOptions { objectLocking: boolean }
Artifactory { passwordSecret: Secret, url!, usernameSecret: Secret }
Azure { accountKeySecret: Secret, blob!, container!, endpoint!, useSDKCreds: boolean }
Gcs { bucket, key!, serviceAccountKeySecret: Secret }
Git { branch, depth: int64, disableSubmodules: boolean, fetch: []string, insecureIgnoreHostKey: boolean,
  insecureSkipTLS: boolean, passwordSecret: Secret, repo!, revision, singleBranch: boolean,
  sshPrivateKeySecret: Secret, usernameSecret: Secret }
Hdfs { addresses: []string, dataTransferProtection, force: boolean, hdfsUser, krbCCacheSecret: Secret,
  krbConfigConfigMap: core ConfigMapKeySelector, krbKeytabSecret: Secret, krbRealm,
  krbServicePrincipalName, krbUsername, path! }
Http { auth: HttpAuth, headers: []NameValue, url! }
Oss { accessKeySecret: Secret, bucket, createBucketIfNotPresent: boolean, endpoint, key!,
  lifecycleRule: LifecycleRule, secretKeySecret: Secret, securityToken, useSDKCreds: boolean }
LifecycleRule { markDeletionAfterDays: int32, markInfrequentAccessAfterDays: int32 }
Raw { data! }
S3 { accessKeySecret: Secret, bucket, caSecret: Secret, createBucketIfNotPresent: BucketOptions,
  encryptionOptions: Encryption, endpoint, insecure: boolean, key, region, roleARN,
  secretKeySecret: Secret, sessionTokenSecret: Secret, useSDKCreds: boolean }
PluginArtifact { configuration, connectionTimeoutSeconds: int32, key!, name! }
Archive { none: object, tar: Tar, zip: object }
Tar { compressionLevel: int32 }
Labels { annotations: {}string, labels: {}string }
ArtifactGC { podMetadata: Labels, serviceAccountName, strategy }
ArtifactLocation { archiveLogs: boolean, artifactory: Artifactory, azure: Azure, gcs: Gcs, git: Git,
  hdfs: Hdfs, http: Http, oss: Oss, plugin: PluginArtifact, raw: Raw, s3: S3 }
Artifact < ArtifactLocation { archive: Archive, artifactGC: ArtifactGC, deleted: boolean, from,
  fromExpression, globalName, mode: int32, name!, optional: boolean, path, recurseMode: boolean, subPath }
ArtifactPaths < Artifact { }
ValueFrom { configMapKeyRef: core ConfigMapKeySelector, default, event, expression, jqFilter, jsonPath,
  parameter, path, supplied: object }
Parameter { default, description, enum: []string, globalName, name!, value, valueFrom: ValueFrom }
Arguments { artifacts: []Artifact, parameters: []Parameter }
Outputs { artifacts: []Artifact, exitCode, parameters: []Parameter, result }
TemplateRef { clusterScope: boolean, name, template }
Hook { arguments: Arguments, expression, template, templateRef: TemplateRef }
ContinueOn { error: boolean, failed: boolean }
Sequence { count: scalar, end: scalar, format, start: scalar }
Task { arguments: Arguments, continueOn: ContinueOn, dependencies: []string, depends, hooks: {}Hook,
  inline: free, name!, onExit, template, templateRef: TemplateRef, when, withItems: []free, withParam,
  withSequence: Sequence }
Dag { failFast: boolean, target, tasks!: []Task }
UserContainer < Container { mirrorVolumeMounts: boolean }
Script < Container { source! }
SetContainer < Container { dependencies: []string }
ContainerSet { containers!: []SetContainer, retryStrategy: SetRetry, volumeMounts: []core VolumeMount }
SetRetry { duration, retries!: scalar }
DataSource { artifactPaths: ArtifactPaths }
Step { expression! }
Data { source!: DataSource, transformation!: []Step }
Executor { serviceAccountName }
HeaderValueFrom { secretKeyRef: Secret }
Header { name!, value, valueFrom: HeaderValueFrom }
BodyFrom { bytes: bytes }
HttpTemplate { body, bodyFrom: BodyFrom, headers: []Header, insecureSkipVerify: boolean, method,
  successCondition, timeoutSeconds: int64, url! }
Cache { configMap!: core ConfigMapKeySelector }
Memoize { cache!: Cache, key!, maxAge! }
MetricLabel { key!, value! }
Gauge { operation, realtime!: boolean, value! }
Counter { value! }
Histogram { buckets!: []number, value! }
Metric { counter: Counter, gauge: Gauge, help!, histogram: Histogram, labels: []MetricLabel, name!, when }
Metrics { prometheus!: []Metric }
ManifestFrom { artifact!: Artifact }
Resource { action!, failureCondition, flags: []string, manifest, manifestFrom: ManifestFrom,
  mergeStrategy, setOwnerReference: boolean, successCondition }
RetryAffinity { nodeAntiAffinity: object }
Backoff { cap, duration, factor: scalar, maxDuration }
Retry { affinity: RetryAffinity, backoff: Backoff, expression, limit: scalar, retryPolicy }
Database { key! }
Semaphore { configMapKeyRef: core ConfigMapKeySelector, database: Database, namespace }
Mutex { database: boolean, name, namespace }
Synchronization { mutexes: []Mutex, semaphores: []Semaphore }
Suspend { duration }
Template { activeDeadlineSeconds: scalar, affinity: core Affinity, annotations: {}string,
  archiveLocation: ArtifactLocation, automountServiceAccountToken: boolean, container: Container,
  containerSet: ContainerSet, daemon: boolean, dag: Dag, data: Data, executor: Executor,
  failFast: boolean, hostAliases: []core HostAlias, http: HttpTemplate, initContainers: []UserContainer,
  inputs: Arguments, memoize: Memoize, metadata: Labels, metrics: Metrics, name, nodeSelector: {}string,
  outputs: Outputs, parallelism: int64, plugin: free, podSpecPatch, priorityClassName, resource: Resource,
  retryStrategy: Retry, schedulerName, script: Script, securityContext: core PodSecurityContext,
  serviceAccountName, sidecars: []UserContainer, steps: []free, suspend: Suspend,
  synchronization: Synchronization, timeout, tolerations: []core Toleration, volumes: []core Volume }
LevelGC < ArtifactGC { forceFinalizerRemoval: boolean, podSpecPatch }
RepositoryRef { configMap, key }
PodGC { deleteDelayDuration, labelSelector: meta LabelSelector, strategy }
TTL { secondsAfterCompletion: int32, secondsAfterFailure: int32, secondsAfterSuccess: int32 }
ClaimGC { strategy }
LabelValue { expression! }
WorkflowMetadata { annotations: {}string, labels: {}string, labelsFrom: {}LabelValue }
WorkflowRef { clusterScope: boolean, name }
Claim { apiVersion, kind, metadata: object, spec: core PersistentVolumeClaimSpec,
  status: core PersistentVolumeClaimStatus }
Spec { activeDeadlineSeconds: int64, affinity: core Affinity, archiveLogs: boolean, arguments: Arguments,
  artifactGC: LevelGC, artifactRepositoryRef: RepositoryRef, automountServiceAccountToken: boolean,
  dnsConfig: core PodDNSConfig, dnsPolicy, entrypoint, executor: Executor, hooks: {}Hook,
  hostAliases: []core HostAlias, hostNetwork: boolean, imagePullSecrets: []core LocalObjectReference,
  metrics: Metrics, nodeSelector: {}string, onExit, parallelism: int64, podDisruptionBudget: policy
  PodDisruptionBudgetSpec, podGC: PodGC, podMetadata: Labels, podPriorityClassName, podSpecPatch,
  priority: int32, retryStrategy: Retry, schedulerName, securityContext: core PodSecurityContext,
  serviceAccountName, shutdown, suspend: boolean, synchronization: Synchronization,
  templateDefaults: Template, templates: []Template, tolerations: []core Toleration, ttlStrategy: TTL,
  volumeClaimGC: ClaimGC, volumeClaimTemplates: []Claim, volumes: []core Volume,
  workflowMetadata: WorkflowMetadata, workflowTemplateRef: WorkflowRef }
NodeFlag { hooked: boolean, retried: boolean }
MemoizeStatus { cacheName!, hit!: boolean, key! }
SyncStatus { waiting }
Node { boundaryID, children: []string, daemoned: boolean, displayName, estimatedDuration: int64,
  failedPodRestarts: int32, finishedAt: time, hostNodeName, id!, inputs: Arguments,
  memoizationStatus: MemoizeStatus, message, name!, nodeFlag: NodeFlag, outboundNodes: []string,
  outputs: Outputs, phase, podIP, progress, resourcesDuration: {}int64, startedAt: time,
  synchronizationStatus: SyncStatus, templateName, templateRef: TemplateRef, templateScope, type! }
Repository < ArtifactLocation { }
RepositoryStatus { artifactRepository: Repository, configMap, default: boolean, key, namespace }
Condition { message, status, type }
Status { artifactRepositoryRef: RepositoryStatus, compressedNodes, conditions: []Condition,
  estimatedDuration: int64, finishedAt: time, message, nodes: {}Node, offloadNodeStatusVersion,
  outputs: Outputs, persistentVolumeClaims: []core Volume, phase, progress, resourcesDuration: {}int64,
  startedAt: time }
CronSpec { concurrencyPolicy, failedJobsHistoryLimit: int32, schedules!: []string,
  startingDeadlineSeconds: int64, successfulJobsHistoryLimit: int32, suspend: boolean, timezone,
  workflowMetadata: meta ObjectMeta, workflowSpec!: Spec }
CronStatus { active: []core ObjectReference, conditions: []Condition, failed: int64,
  lastScheduledTime: time, phase, succeeded: int64 }
TaskSetSpec { tasks: {}Template }
TaskSetNode { message, outputs: Outputs, phase, progress }
TaskSetStatus { nodes: {}TaskSetNode }
ArtifactNode { archiveLocation: ArtifactLocation, artifacts: {}Artifact }
GCSpec { artifactsByNode: {}ArtifactNode }
ArtifactResult { error, name!, success: boolean }
ArtifactResults { artifactResults: {}ArtifactResult }
GCStatus { artifactResultsByNode: {}ArtifactResults }
Event { selector! }
Submit { arguments: Arguments, metadata: object, workflowTemplateRef!: WorkflowRef }
BindingSpec { event!: Event, submit: Submit }
Workflow { spec!: Spec, status: Status }
CronWorkflow { spec!: CronSpec, status: CronStatus }
WorkflowTemplate { spec!: Spec }
ClusterWorkflowTemplate { spec!: Spec }
WorkflowTaskSet { spec!: TaskSetSpec, status: TaskSetStatus }
WorkflowArtifactGCTask { spec!: GCSpec, status: GCStatus }
WorkflowTaskResult { message, outputs: Outputs, phase, progress }
WorkflowEventBinding { spec!: BindingSpec }
`;

const kinds = [
  'Workflow',
  'CronWorkflow',
  'WorkflowTemplate',
  'ClusterWorkflowTemplate',
  'WorkflowTaskSet',
  'WorkflowArtifactGCTask',
  'WorkflowTaskResult',
  'WorkflowEventBinding',
];

const scalars = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  number: { type: 'number' },
  object: { type: 'object' },
  free: { 'x-kubernetes-preserve-unknown-fields': true },
  int32: { format: 'int32', type: 'integer' },
  int64: { format: 'int64', type: 'integer' },
  bytes: { format: 'byte', type: 'string' },
  time: { format: 'date-time', type: 'string' },
  scalar: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
};

const packages = {
  core: 'io.k8s.api.core.v1',
  policy: 'io.k8s.api.policy.v1',
  meta: 'io.k8s.apimachinery.pkg.apis.meta.v1',
};

/**
 * Writes the definitions into `folder`, one file each, and returns their paths.
 * @param document path of the published OpenAPI document of version 2
 * @param isMinimal whether `spec` and `status` are free-form, as in definitions for small clusters
 */
export function writeWorkflows(document, folder, isMinimal = false) {
  const { definitions } = JSON.parse(readFileSync(document, 'utf8'));
  return kinds.map((kind) => {
    const file = join(folder, `${kind.toLowerCase()}.yaml`);
    const { description, type, properties, required } = schemaOf(kind, definitions);
    const shown = isMinimal ? mapValues(properties, () => scalars.free) : properties;
    const schema = { description, type, properties: shown, required };
    writeFileSync(file, `---\n${yaml(definition(kind, schema))}`);
    return file;
  });
}

function definition(kind, schema) {
  const plural = `${kind.toLowerCase()}s`;
  const properties = {
    apiVersion: { description: 'Version of the schema of this object.', type: 'string' },
    kind: { description: 'Kind of this object.', type: 'string' },
    metadata: { type: 'object' },
    ...schema.properties,
  };
  const openAPIV3Schema = { ...schema, properties, required: ['metadata', ...(schema.required ?? [])] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.workflows.example.com` },
    spec: {
      group: 'workflows.example.com',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: kind.startsWith('Cluster') ? 'Cluster' : 'Namespaced',
      versions: [{ name: 'v1alpha1', schema: { openAPIV3Schema }, served: true, storage: true }],
    },
  };
}

const types = new Map(
  Array.from(
    notation.matchAll(/^(\w+)(?: < ([\w ]+))? \{([^}]*(?:\{\}[^}]*)*)\}$/gm),
    ([, name, base, fields]) => [name, { base, fields: fields.trim().split(/,\s+/).filter(Boolean) }],
  ),
);

function schemaOf(type, definitions) {
  if (type.startsWith('[]')) return { items: schemaOf(type.slice(2), definitions), type: 'array' };
  if (type.startsWith('{}'))
    return { additionalProperties: schemaOf(type.slice(2), definitions), type: 'object' };
  if (scalars[type] !== undefined) return scalars[type];
  const [prefix, name] = type.split(/\s+/);
  return name === undefined
    ? objectOf(type, definitions)
    : inlined({ $ref: `#/definitions/${packages[prefix]}.${name}` }, definitions);
}

function objectOf(type, definitions) {
  const { base, fields } = types.get(type);
  const inherited = base === undefined ? {} : schemaOf(base, definitions);
  const properties = fields.map((field) => {
    const [, name, of = 'string'] = /^(\w+)!?(?:: (.*))?$/s.exec(field);
    const { description = `${describedAs(name)} of the ${words(type)}, if one is set.`, ...rest } = schemaOf(
      of,
      definitions,
    );
    return [name, { description, ...rest }];
  });
  const required = fields.filter((field) => /^\w+!/.test(field)).map((field) => /\w+/.exec(field)[0]);
  const all = [...(inherited.required ?? []), ...required];
  return {
    description: `${type} is the ${words(type)} of a workflow.`,
    ...inherited,
    properties: { ...inherited.properties, ...Object.fromEntries(properties) },
    ...(all.length > 0 && { required: all }),
    type: 'object',
  };
}

function words(name) {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

function describedAs(name) {
  return `${name[0].toUpperCase()}${name.slice(1)} is the ${words(name)}`;
}

/** Returns a schema of the document with its references replaced, as a structural schema. */
function inlined(schema, definitions) {
  const { $ref: ref, ...own } = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !/^x-kubernetes-(?:patch|union|group)/.test(key)),
  );
  if (ref !== undefined) {
    const name = ref.slice('#/definitions/'.length);
    if (name.endsWith('.ObjectMeta')) return { ...own, type: 'object' };
    return { ...inlined(definitions[name], definitions), ...own };
  }
  const { properties, items, additionalProperties, format, ...rest } = own;
  const keys = own['x-kubernetes-list-map-keys'] ?? [];
  if (format === 'int-or-string' || schema.description?.startsWith('Quantity is')) {
    return { ...rest, ...scalars.scalar, type: undefined };
  }
  return {
    ...rest,
    ...(format !== undefined && { format }),
    ...(properties !== undefined && {
      properties: mapValues(properties, (each) => inlined(each, definitions)),
    }),
    ...(items !== undefined && { items: withKeys(inlined(items, definitions), keys) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: inlined(additionalProperties, definitions),
    }),
    type: schema.type ?? (properties === undefined ? undefined : 'object'),
  };
}

/** Servers require that each key of a list of type map is required or has a default. */
function withKeys(item, keys) {
  const optional = keys.filter((key) => !(item.required ?? []).includes(key));
  if (optional.length === 0) return item;
  const defaulted = optional.map((key) => [key, { ...item.properties[key], default: 'TCP' }]);
  return { ...item, properties: { ...item.properties, ...Object.fromEntries(defaulted) } };
}

function mapValues(record, value) {
  return Object.fromEntries(Object.entries(record).map(([key, each]) => [key, value(each)]));
}

/** Prints YAML as generators of definitions do: sorted, with long descriptions as blocks. */
function yaml(value, indent = '') {
  const lines = Array.isArray(value)
    ? value.map((item) => `${indent}- ${yaml(item, `${indent}  `).trimStart()}`)
    : typeof value === 'object'
      ? Object.keys(value)
          .sort()
          .filter((key) => value[key] !== undefined)
          .map((key) => `${indent}${key}:${member(value[key], indent)}`)
      : [`${scalar(value)}\n`];
  return lines.join('');
}

function member(value, indent) {
  if (typeof value === 'object') {
    return `\n${yaml(value, Array.isArray(value) ? indent : `${indent}  `)}`;
  }
  if (typeof value === 'string' && value.length > 80) {
    const lines = wrapped(value.replaceAll('\n', ' '));
    return ` |-\n${lines.map((line) => `${indent}  ${line}\n`).join('')}`;
  }
  return ` ${scalar(value)}\n`;
}

function wrapped(text) {
  return text.match(/.{1,100}(?:\s|$)|\S+/g)?.map((line) => line.trim()) ?? [];
}

function scalar(value) {
  return typeof value === 'string' && /^$|[:#]|^[^A-Za-z/]|^(?:true|false|null|y|n)$/i.test(value)
    ? `'${value.replaceAll("'", "''")}'`
    : String(value);
}
