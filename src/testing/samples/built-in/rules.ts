/**
 * Facts about built-in kinds that their schemas do not contain, as data. Definitions are named by group and
 * type: `core.PodSpec` for `io.k8s.api.core.v1.PodSpec`.
 */
import type { Json, JsonObject } from '@kgen/schema/values/json';

/** Stands for the namespace of the object in values that refer to it. */
export const ownNamespace = '{namespace}';

const labels: JsonObject = { app: 'sample' };
const selector: JsonObject = { matchLabels: labels };
const container: JsonObject = { name: 'app', image: 'registry.example.com/app:1' };
const onlyOnce: JsonObject = {
  metadata: { labels },
  spec: { containers: [container], restartPolicy: 'Never' },
};
const rule: JsonObject = {
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['deployments'],
};
const webhook: JsonObject = {
  name: 'hook.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  timeoutSeconds: 5,
};
const mutation: JsonObject = {
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression: 'Object{}' },
};
const opaque: JsonObject = { driver: 'driver.example.com', parameters: { any: 'value' } };
/** A certificate request in PEM, for the common name `sample`. */
const csr: string = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITE1ITUNBUUF3RVRFUE1BMEdBMVVFQXd3R2MyRnRjR3hs',
  'TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowRApBUWNEUWdBRWxkQm1WaEtkQnhIVk1rT0E0bEtJSmlvcStWaTRwZ2xXWGlr',
  'NXY4aUZwQTFBZUFPOTc2NkxNNWpDCktWWXpQRzVBeUFKTXcxUm0rd3R2eGRnNTFoNzk1NkFBTUFvR0NDcUdTTTQ5QkFNQ0Ew',
  'Z0FNRVVDSUIwcDlpc0UKVVZBcWlyZXplcFhYazdibWRnZHVHbFEydVpEQlpFV0VPZmFsQWlFQTIzczkzNXdTUkxJYlplZnNt',
  'N2hwRGVFWgpSQVFkeVRLS3lqN1hLZW95bGVrPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K',
].join('');

/** Values of members by definition. A name that ends with `!` is a member that always exists. */
export const memberValues: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  'admissionregistration.ApplyConfiguration': { 'expression!': 'Object{}' },
  'admissionregistration.AuditAnnotation': { key: 'note', valueExpression: "'text'" },
  'admissionregistration.JSONPatch': { 'expression!': '[JSONPatch{op: "remove", path: "/spec/paused"}]' },
  'admissionregistration.MatchCondition': { name: 'condition', expression: 'true' },
  'admissionregistration.MatchResources': { 'resourceRules!': [rule] },
  'admissionregistration.MutatingAdmissionPolicySpec': {
    'matchConstraints!': { resourceRules: [rule] },
    'mutations!': [mutation],
    'reinvocationPolicy!': 'Never',
  },
  'admissionregistration.MutatingAdmissionPolicyBindingSpec': { 'policyName!': 'policy.example.com' },
  'admissionregistration.MutatingWebhook': webhook,
  'admissionregistration.NamedRuleWithOperations': always(rule),
  'admissionregistration.ParamKind': { 'apiVersion!': 'v1', 'kind!': 'ConfigMap' },
  'admissionregistration.RuleWithOperations': always(rule),
  'admissionregistration.ServiceReference': { name: 'hook', namespace: 'default', port: 443 },
  'admissionregistration.ValidatingAdmissionPolicySpec': {
    'matchConstraints!': { resourceRules: [rule] },
    'validations!': [{ expression: 'true' }],
  },
  'admissionregistration.ValidatingAdmissionPolicyBindingSpec': {
    'policyName!': 'policy.example.com',
    'validationActions!': ['Deny'],
  },
  'admissionregistration.ValidatingWebhook': webhook,
  'admissionregistration.Validation': { expression: 'true' },
  'admissionregistration.Variable': { name: 'value', expression: 'true' },
  'admissionregistration.WebhookClientConfig': { url: 'https://hook.example.com/' },
  'apiextensions.CustomResourceDefinitionNames': { kind: 'Thing', plural: 'things' },
  'apiextensions.CustomResourceDefinitionSpec': {
    group: 'samples.example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
  'apiregistration.APIServiceSpec': {
    'group!': 'samples.example.com',
    'version!': 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 10,
    'service!': { name: 'api', namespace: 'default' },
    'insecureSkipTLSVerify!': true,
  },
  'apiregistration.ServiceReference': { 'name!': 'api', 'namespace!': 'default' },
  'apps.ControllerRevision': { 'data!': { any: 'value' } },
  'apps.DaemonSetSpec': { selector },
  'apps.DeploymentSpec': { selector },
  'apps.ReplicaSetSpec': {
    'selector!': selector,
    'template!': { metadata: { labels }, spec: { containers: [container] } },
  },
  'apps.StatefulSetSpec': { 'selector!': selector, 'serviceName!': 'sample' },
  'authorization.ResourceAttributes': { 'verb!': 'get', 'resource!': 'pods' },
  'authorization.SelfSubjectAccessReviewSpec': { resourceAttributes: { verb: 'get', resource: 'pods' } },
  'authorization.SelfSubjectRulesReviewSpec': { 'namespace!': 'default' },
  'authorization.SubjectAccessReviewSpec': {
    'user!': 'jane',
    resourceAttributes: { verb: 'get', resource: 'pods', namespace: ownNamespace },
  },
  'autoscaling.CrossVersionObjectReference': {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'sample',
    'apiVersion!': 'apps/v1',
  },
  'autoscaling.HorizontalPodAutoscalerSpec': { maxReplicas: 5, minReplicas: 2 },
  'batch.CronJobSpec': { schedule: '*/5 * * * *', timeZone: 'Etc/UTC' },
  'batch.JobSpec': { template: onlyOnce },
  'certificates.CertificateSigningRequestSpec': {
    request: csr,
    signerName: 'example.com/signer',
    'usages!': ['client auth'],
  },
  'coordination.LeaseCandidateSpec': {
    binaryVersion: '1.36.0',
    'emulationVersion!': '1.36.0',
    strategy: 'OldestEmulationVersion',
  },
  'core.Binding': { 'target!': { kind: 'Node', name: 'node' } },
  'core.Container': { 'image!': 'registry.example.com/app:1' },
  'core.Event': { involvedObject: { kind: 'Pod', name: 'sample', namespace: ownNamespace } },
  'core.PersistentVolumeClaimSpec': {
    'accessModes!': ['ReadWriteOnce'],
    'resources!': { requests: { storage: '1Gi' } },
  },
  'core.PersistentVolumeSpec': {
    'accessModes!': ['ReadWriteOnce'],
    'capacity!': { storage: '1Gi' },
    hostPath: { path: '/data' },
  },
  'core.PodSpec': {
    containers: [container],
    activeDeadlineSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    hostAliases: [{ ip: '192.0.2.1', hostnames: ['sample'] }],
    os: { name: 'linux' },
    overhead: { cpu: '100m' },
    resources: { requests: { cpu: '1' }, limits: { cpu: '1' } },
    restartPolicy: 'Always',
    tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  },
  'core.ResourceRequirements': { limits: { cpu: '1' }, requests: { cpu: '1' } },
  'core.ContainerResizePolicy': { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  'core.PodDNSConfig': { nameservers: ['192.0.2.53'], options: [{ name: 'ndots', value: '2' }] },
  'core.AppArmorProfile': { type: 'RuntimeDefault' },
  'core.SeccompProfile': { type: 'RuntimeDefault' },
  'core.PodDNSConfigOption': { 'name!': 'ndots' },
  'core.HostAlias': { ip: '192.0.2.1', 'hostnames!': ['sample'] },
  'core.PodTemplate': { 'template!': { metadata: { labels }, spec: { containers: [container] } } },
  'core.PodTemplateSpec': { 'metadata!': { labels }, 'spec!': { containers: [container] } },
  'core.ReplicationControllerSpec': {
    'selector!': labels,
    'template!': { metadata: { labels }, spec: { containers: [container] } },
  },
  'core.ServicePort': { port: 80, protocol: 'TCP', targetPort: 8080 },
  'core.ServiceSpec': {
    'ports!': [{ port: 80 }],
    type: 'ClusterIP',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    externalIPs: ['192.0.2.1'],
    clusterIP: '10.0.0.99',
    clusterIPs: ['10.0.0.99'],
    trafficDistribution: 'PreferSameZone',
  },
  'discovery.EndpointSlice': { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] },
  'events.Event': {
    'reportingController!': 'example.com/controller',
    'reportingInstance!': 'one',
    'action!': 'Act',
    'reason!': 'Reason',
    'type!': 'Normal',
  },
  'flowcontrol.FlowSchemaSpec': {
    matchingPrecedence: 500,
    priorityLevelConfiguration: { name: 'global-default' },
  },
  'flowcontrol.PriorityLevelConfigurationSpec': {
    type: 'Limited',
    'limited!': { limitResponse: { type: 'Reject' } },
  },
  'meta.LabelSelector': { matchLabels: labels },
  'meta.LabelSelectorRequirement': { key: 'app', operator: 'In', 'values!': ['sample'] },
  'networking.IngressBackend': { service: { name: 'sample', port: { number: 80 } } },
  'networking.IngressClassSpec': { 'controller!': 'example.com/controller' },
  'networking.IngressSpec': { 'defaultBackend!': { service: { name: 'sample', port: { number: 80 } } } },
  'networking.IPAddressSpec': { parentRef: { resource: 'services', name: 'sample' } },
  'networking.ServiceCIDRSpec': { 'cidrs!': ['10.96.0.0/24'] },
  'rbac.RoleRef': { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'sample' },
  'rbac.PolicyRule': { verbs: ['get'], 'apiGroups!': [''], 'resources!': ['pods'] },
  'rbac.Subject': { kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' },
  'resource.Device': {
    bindingConditions: ['example.com/bound'],
    bindingFailureConditions: ['example.com/failed'],
  },
  'resource.DeviceClaimConfiguration': { 'opaque!': opaque },
  'resource.DeviceClassConfiguration': { 'opaque!': opaque },
  'resource.DeviceConstraint': {
    matchAttribute: 'example.com/model',
    distinctAttribute: 'example.com/model',
  },
  'resource.DeviceCounterConsumption': { counterSet: 'memory', 'counters!': { memory: { value: '1Gi' } } },
  'resource.DeviceRequest': {
    name: 'request',
    exactly: { deviceClassName: 'class.example.com' },
    deviceClassName: 'class.example.com',
    firstAvailable: [{ name: 'first', deviceClassName: 'class.example.com' }],
  },
  'resource.DeviceSelector': { 'cel!': { expression: 'true' } },
  'resource.DeviceSubRequest': { name: 'first', deviceClassName: 'class.example.com' },
  'resource.ExactDeviceRequest': { 'deviceClassName!': 'class.example.com' },
  'resource.OpaqueDeviceConfiguration': opaque,
  'resource.ResourcePool': { name: 'pool', generation: 1, resourceSliceCount: 1 },
  'resource.ResourcePoolStatusRequestSpec': { limit: 10 },
  'resource.ResourceSliceSpec': { driver: 'driver.example.com', nodeName: 'node', allNodes: true },
  'autoscaling.MetricSpec': {
    type: 'Resource',
    'resource!': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
  },
  'autoscaling.MetricTarget': { 'type!': 'Utilization', 'averageUtilization!': 50 },
  'core.AzureDiskVolumeSource': {
    diskName: 'disk',
    diskURI: 'https://account.blob.core.windows.net/container/disk.vhd',
  },
  'core.CephFSPersistentVolumeSource': { monitors: ['192.0.2.1:6789'] },
  'core.CephFSVolumeSource': { monitors: ['192.0.2.1:6789'] },
  'core.ConfigMapEnvSource': { 'name!': 'sample' },
  'core.ConfigMapKeySelector': { 'name!': 'sample' },
  'core.ConfigMapProjection': { 'name!': 'sample' },
  'core.ConfigMapVolumeSource': { 'name!': 'sample' },
  'core.ContainerPort': { containerPort: 8080 },
  'core.EndpointAddress': { ip: '192.0.2.1' },
  'core.EndpointPort': { port: 80 },
  'core.EndpointSubset': { 'addresses!': [{ ip: '192.0.2.1' }], 'ports!': [{ port: 80 }] },
  'core.ExecAction': { 'command!': ['true'] },
  'core.FCVolumeSource': { 'targetWWNs!': ['50060e801049cfd1'], 'lun!': 1 },
  'core.GRPCAction': { port: 8080 },
  'core.HTTPGetAction': { port: 8080, path: '/ready' },
  'core.ImageVolumeSource': { 'reference!': 'registry.example.com/data:1' },
  'core.ISCSIPersistentVolumeSource': {
    iqn: 'iqn.2001-04.com.example:storage',
    targetPortal: '192.0.2.1',
    'secretRef!': { name: 'secret', namespace: 'default' },
  },
  'core.ISCSIVolumeSource': {
    iqn: 'iqn.2001-04.com.example:storage',
    targetPortal: '192.0.2.1',
    'secretRef!': { name: 'secret' },
  },
  'core.KeyToPath': { key: 'key', path: 'path', mode: 420 },
  'core.LimitRangeItem': {
    type: 'Container',
    default: { cpu: '1' },
    defaultRequest: { cpu: '1' },
    max: { cpu: '2' },
    min: { cpu: '1' },
    maxLimitRequestRatio: { cpu: '2' },
  },
  'core.ResourceQuotaSpec': { hard: { pods: '10' }, scopes: ['NotTerminating'] },
  'core.NamespaceSpec': { finalizers: ['example.com/finalizer'] },
  'core.ScopedResourceSelectorRequirement': { scopeName: 'PriorityClass', operator: 'Exists' },
  'core.NodeSpec': { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] },
  'core.Taint': { key: 'dedicated', value: 'yes', effect: 'NoSchedule' },
  'networking.IPBlock': { cidr: '192.0.2.0/24', except: ['192.0.2.0/28'] },
  'networking.NetworkPolicyPort': { port: 80, protocol: 'TCP' },
  'networking.IngressRule': { host: 'host.example.com' },
  'networking.IngressTLS': { hosts: ['host.example.com'], secretName: 'certificate' },
  'networking.HTTPIngressPath': { path: '/', pathType: 'Prefix' },
  'networking.ServiceBackendPort': { 'number!': 80 },
  'node.Overhead': { podFixed: { cpu: '100m' } },
  'policy.PodDisruptionBudgetSpec': { minAvailable: 1 },
  'scheduling.PriorityClass': { value: 1000 },
  'core.LocalObjectReference': { 'name!': 'sample' },
  'core.NFSVolumeSource': { server: 'nfs.example.com', path: '/data' },
  'core.NodeSelectorTerm': { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node'] }] },
  'core.NodeSelectorRequirement': { key: 'zone', operator: 'In', 'values!': ['a'] },
  'core.ObjectFieldSelector': { fieldPath: 'metadata.name' },
  'core.PodAffinityTerm': { topologyKey: 'kubernetes.io/hostname' },
  'core.PreferredSchedulingTerm': { weight: 10 },
  'core.QuobyteVolumeSource': { registry: 'quobyte.example.com:7861', volume: 'volume' },
  'core.RBDPersistentVolumeSource': { monitors: ['192.0.2.1:6789'], image: 'image' },
  'core.RBDVolumeSource': { monitors: ['192.0.2.1:6789'], image: 'image' },
  'core.ResourceFieldSelector': { resource: 'limits.cpu', 'containerName!': 'app' },
  'core.ScaleIOVolumeSource': { 'volumeName!': 'volume' },
  'core.SecretEnvSource': { 'name!': 'sample' },
  'core.SecretKeySelector': { 'name!': 'sample' },
  'core.SecretProjection': { 'name!': 'sample' },
  'core.SecretVolumeSource': { 'secretName!': 'sample' },
  'core.StorageOSVolumeSource': { 'volumeName!': 'volume' },
  'core.TCPSocketAction': { port: 8080 },
  'core.Toleration': { 'operator!': 'Exists', 'key!': 'dedicated' },
  'core.TopologySpreadConstraint': { maxSkew: 1, topologyKey: 'zone' },
  'core.VolumeResourceRequirements': { 'requests!': { storage: '1Gi' } },
  'core.WeightedPodAffinityTerm': { weight: 10 },
  'discovery.Endpoint': { addresses: ['192.0.2.1'] },
  'flowcontrol.LimitedPriorityLevelConfiguration': { 'limitResponse!': { type: 'Reject' } },
  'flowcontrol.LimitResponse': { 'type!': 'Reject' },
  'flowcontrol.Subject': { kind: 'User', 'user!': { name: 'jane' } },
  'flowcontrol.ResourcePolicyRule': {
    verbs: ['get'],
    apiGroups: [''],
    resources: ['pods'],
    'namespaces!': ['default'],
  },
  'flowcontrol.NonResourcePolicyRule': { verbs: ['get'], nonResourceURLs: ['/healthz'] },
  'flowcontrol.PolicyRulesWithSubjects': {
    subjects: [{ kind: 'User', user: { name: 'jane' } }],
    'nonResourceRules!': [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
  },
  'storage.CSIDriverSpec': { nodeAllocatableUpdatePeriodSeconds: 60 },
  'storage.VolumeAttachmentSpec': { source: { persistentVolumeName: 'volume' } },
  'storage.VolumeAttachmentSource': { persistentVolumeName: 'volume' },
  'storage.VolumeAttributesClass': { 'parameters!': { tier: 'gold' } },
};

/** Returns members that always exist. */
function always(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [`${name}!`, value]));
}

/** Values of definitions that are not objects, or that are free-form. */
export const definitionValues: Readonly<Record<string, readonly Json[]>> = {
  'api.Quantity': ['1', '100m', '1Gi'],
  'meta.MicroTime': ['2024-05-06T07:08:09.000000Z'],
  'meta.Time': ['2024-05-06T07:08:09Z'],
  'meta.Duration': ['30s'],
  'meta.FieldsV1': [{}],
  'meta.ObjectMeta': [{ labels, annotations: { note: 'sample' } }],
  'pkg.RawExtension': [{ any: 'value' }],
  'util.IntOrString': [1, '25%'],
};

/** Names of objects of kinds whose names have a meaning. */
export const objectNames: Readonly<Record<string, string>> = {
  APIService: 'v1.samples.example.com',
  CustomResourceDefinition: 'things.samples.example.com',
  IPAddress: '192.0.2.10',
  StorageVersion: 'samples.example.com.things',
};

/** Kinds whose objects have no name, because they are requests. */
export const namelessKinds: ReadonlySet<string> = new Set([
  'LocalSubjectAccessReview',
  'SelfSubjectAccessReview',
  'SelfSubjectReview',
  'SelfSubjectRulesReview',
  'SubjectAccessReview',
  'TokenReview',
]);

/** Definitions in which limits hold at every place. */
export const sharedLimits: ReadonlySet<string> = new Set([
  'core.EnvVar',
  'core.NodeSelectorTerm',
  'core.PersistentVolumeClaimSpec',
  'core.PodAffinityTerm',
  'core.PodSpec',
  'core.Probe',
  'core.LifecycleHandler',
  'core.Volume',
  'meta.LabelSelector',
]);

const jobValues: typeof memberValues = {
  'core.PodSpec': { 'restartPolicy!': 'Never' },
  'core.PodTemplateSpec': always(onlyOnce),
};

/** Values of members that a definition needs if it is part of an object of this kind, by kind. */
export const kindValues: Readonly<Record<string, typeof memberValues>> = {
  CronJob: jobValues,
  Job: jobValues,
  LocalSubjectAccessReview: { 'authorization.ResourceAttributes': { 'namespace!': ownNamespace } },
};

/** Members of a definition of which exactly one exists: the first one, unless a sample needs another. */
export const unions: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration.WebhookClientConfig': ['url', 'service'],
  'authorization.SelfSubjectAccessReviewSpec': ['resourceAttributes', 'nonResourceAttributes'],
  'authorization.SubjectAccessReviewSpec': ['resourceAttributes', 'nonResourceAttributes'],
  'core.DownwardAPIVolumeFile': ['fieldRef', 'resourceFieldRef'],
  'core.EnvFromSource': ['configMapRef', 'secretRef'],
  'core.EnvVarSource': ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'],
  'core.LifecycleHandler': ['exec', 'httpGet', 'sleep'],
  'core.PersistentVolumeSpec': [
    'hostPath',
    'awsElasticBlockStore',
    'azureDisk',
    'azureFile',
    'cephfs',
    'cinder',
    'csi',
    'fc',
    'flexVolume',
    'flocker',
    'gcePersistentDisk',
    'glusterfs',
    'iscsi',
    'local',
    'nfs',
    'photonPersistentDisk',
    'portworxVolume',
    'quobyte',
    'rbd',
    'scaleIO',
    'storageos',
    'vsphereVolume',
  ],
  'core.Probe': ['exec', 'httpGet', 'tcpSocket', 'grpc'],
  'core.Volume': [
    'emptyDir',
    'awsElasticBlockStore',
    'azureDisk',
    'azureFile',
    'cephfs',
    'cinder',
    'configMap',
    'csi',
    'downwardAPI',
    'ephemeral',
    'fc',
    'flexVolume',
    'flocker',
    'gcePersistentDisk',
    'gitRepo',
    'glusterfs',
    'hostPath',
    'image',
    'iscsi',
    'nfs',
    'persistentVolumeClaim',
    'photonPersistentDisk',
    'portworxVolume',
    'projected',
    'quobyte',
    'rbd',
    'scaleIO',
    'secret',
    'storageos',
    'vsphereVolume',
  ],
  'core.VolumeProjection': [
    'configMap',
    'secret',
    'downwardAPI',
    'serviceAccountToken',
    'clusterTrustBundle',
  ],
  'networking.IngressBackend': ['service', 'resource'],
  'networking.NetworkPolicyPeer': ['podSelector', 'ipBlock'],
  'resource.DeviceConstraint': ['matchAttribute', 'distinctAttribute'],
  'resource.DeviceRequest': ['exactly', 'deviceClassName', 'firstAvailable'],
  'resource.ResourceSliceSpec': ['nodeName', 'allNodes', 'nodeSelector'],
  'storage.VolumeAttachmentSource': ['persistentVolumeName', 'inlineVolumeSpec'],
};
