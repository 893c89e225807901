// Written by test/envtest/fields/write.mjs from the Go types of Kubernetes 1.36.3; do not edit.
// go-type.ts documents the format of the lines.

export const goTypeLines: string = `
apps/v1
ControllerRevision metadata? meta/v1.ObjectMeta;data? $RawExtension;revision int64
apps/v1beta1
ControllerRevision metadata? meta/v1.ObjectMeta;data? $RawExtension;revision int64
apps/v1beta2
ControllerRevision metadata? meta/v1.ObjectMeta;data? $RawExtension;revision int64
authentication.k8s.io/v1
TokenRequestSpec audiences []string;boundObjectRef *BoundObjectReference;expirationSeconds *int64
autoscaling/v1
HorizontalPodAutoscalerCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
autoscaling/v2
HorizontalPodAutoscalerCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
batch/v1
JobSpec parallelism? *int32;completions? *int32;activeDeadlineSeconds? *int64;selector? *meta/v1.LabelSelector;manualSelector? *bool;template core/v1.PodTemplateSpec;backoffLimit? *int32;ttlSecondsAfterFinished? *int32;completionMode? *string;suspend? *bool;podFailurePolicy? *PodFailurePolicy;backoffLimitPerIndex? *int32;maxFailedIndexes? *int32;podReplacementPolicy? *string;managedBy? *string;successPolicy? *SuccessPolicy
core/v1
ClusterTrustBundleProjection name? *string;signerName? *string;labelSelector? *meta/v1.LabelSelector;path string;optional? *bool
ConfigMapVolumeSource  LocalObjectReference;items? []KeyToPath;defaultMode? *int32;optional? *bool
DownwardAPIVolumeFile path string;fieldRef? *ObjectFieldSelector;resourceFieldRef? *ResourceFieldSelector;mode? *int32
DownwardAPIVolumeSource items? []DownwardAPIVolumeFile;defaultMode? *int32
EmptyDirVolumeSource medium? string;sizeLimit? *$Quantity
GRPCAction port int32;service *string
HTTPGetAction path? string;port $IntOrString;host? string;scheme? string;httpHeaders? []HTTPHeader
KeyToPath key string;path string;mode? *int32
NodeAllocatableResourceClaimStatus resourceClaimName string;containers? []string;resources {}$Quantity
NodeSpec podCIDR? string;externalID? string;providerID? string;unschedulable? bool;taints? []Taint;configSource? *NodeConfigSource;podCIDRs? []string
NodeSystemInfo machineID string;systemUUID string;bootID string;kernelVersion string;osImage string;containerRuntimeVersion string;kubeletVersion string;kubeProxyVersion string;operatingSystem string;architecture string;swap? *NodeSwapStatus
PersistentVolumeClaimStatus phase? string;accessModes? []string;capacity? {}$Quantity;conditions? []PersistentVolumeClaimCondition;allocatedResources? {}$Quantity;allocatedResourceStatuses? {}string;currentVolumeAttributesClassName? *string;modifyVolumeStatus? *ModifyVolumeStatus
PodCertificateProjection signerName? string;keyType? string;maxExpirationSeconds? *int32;credentialBundlePath? string;keyPath? string;certificateChainPath? string;userAnnotations? {}string
PodSpec volumes? []Volume;containers []Container;restartPolicy? string;terminationGracePeriodSeconds? *int64;activeDeadlineSeconds? *int64;dnsPolicy? string;nodeSelector? {}string;serviceAccountName? string;serviceAccount? string;nodeName? string;hostNetwork? bool;hostPID? bool;hostIPC? bool;securityContext? *PodSecurityContext;imagePullSecrets? []LocalObjectReference;hostname? string;subdomain? string;affinity? *Affinity;schedulerName? string;initContainers? []Container;automountServiceAccountToken? *bool;tolerations? []Toleration;hostAliases? []HostAlias;priorityClassName? string;priority? *int32;dnsConfig? *PodDNSConfig;shareProcessNamespace? *bool;readinessGates? []PodReadinessGate;runtimeClassName? *string;enableServiceLinks? *bool;preemptionPolicy? *string;overhead? {}$Quantity;topologySpreadConstraints? []TopologySpreadConstraint;ephemeralContainers? []EphemeralContainer;setHostnameAsFQDN? *bool;os? *PodOS;hostUsers? *bool;schedulingGates? []PodSchedulingGate;resourceClaims? []PodResourceClaim;resources? *ResourceRequirements;hostnameOverride? *string;schedulingGroup? *PodSchedulingGroup
PodStatus phase? string;conditions? []PodCondition;message? string;reason? string;hostIP? string;podIP? string;startTime? *$Time;containerStatuses? []ContainerStatus;qosClass? string;initContainerStatuses? []ContainerStatus;nominatedNodeName? string;podIPs? []PodIP;ephemeralContainerStatuses? []ContainerStatus;resize? string;resourceClaimStatuses? []PodResourceClaimStatus;hostIPs? []HostIP;observedGeneration? int64;extendedResourceClaimStatus? *PodExtendedResourceClaimStatus;allocatedResources? {}$Quantity;resources? *ResourceRequirements;nodeAllocatableResourceClaimStatuses? []NodeAllocatableResourceClaimStatus
ProjectedVolumeSource sources []VolumeProjection;defaultMode? *int32
SecretVolumeSource secretName? string;items? []KeyToPath;defaultMode? *int32;optional? *bool
ServiceAccountTokenProjection audience? string;expirationSeconds? *int64;path string
VolumeMount name string;readOnly? bool;mountPath string;subPath? string;mountPropagation? *string;subPathExpr? string;recursiveReadOnly? *string
resource.k8s.io/v1
Device name string;attributes? {}DeviceAttribute;capacity? {}DeviceCapacity;consumesCounters? []DeviceCounterConsumption;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;taints? []DeviceTaint;bindsToNode? *bool;bindingConditions? []string;bindingFailureConditions? []string;allowMultipleAllocations? *bool;nodeAllocatableResourceMappings? {}NodeAllocatableResourceMapping
DeviceCounterConsumption counterSet string;counters? {}Counter
DeviceRequestAllocationResult request string;driver string;pool string;device string;adminAccess? *bool;tolerations? []DeviceToleration;bindingConditions? []string;bindingFailureConditions? []string;shareID? *string;consumedCapacity? {}$Quantity
DeviceSubRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;tolerations? []DeviceToleration;capacity? *CapacityRequirements
ExactDeviceRequest deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;adminAccess? *bool;tolerations? []DeviceToleration;capacity? *CapacityRequirements
ResourceSliceSpec driver string;pool ResourcePool;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;devices? []Device;perDeviceNodeSelection? *bool;sharedCounters? []CounterSet
resource.k8s.io/v1alpha3
DeviceTaintSelector driver? *string;pool? *string;device? *string
PoolStatus driver? string;poolName? string;nodeName? *string;totalDevices? *int32;allocatedDevices? *int32;availableDevices? *int32;unavailableDevices? *int32;resourceSliceCount? *int32;generation int64;validationError? *string
ResourcePoolStatusRequestSpec driver string;poolName? *string;limit? *int32
resource.k8s.io/v1beta1
BasicDevice attributes? {}DeviceAttribute;capacity? {}DeviceCapacity;consumesCounters? []DeviceCounterConsumption;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;taints? []DeviceTaint;bindsToNode? *bool;bindingConditions? []string;bindingFailureConditions? []string;allowMultipleAllocations? *bool;nodeAllocatableResourceMappings? {}NodeAllocatableResourceMapping
DeviceCounterConsumption counterSet string;counters? {}Counter
DeviceRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;adminAccess? *bool;firstAvailable? []DeviceSubRequest;tolerations? []DeviceToleration;capacity? *CapacityRequirements
DeviceRequestAllocationResult request string;driver string;pool string;device string;adminAccess? *bool;tolerations? []DeviceToleration;bindingConditions? []string;bindingFailureConditions? []string;shareID? *string;consumedCapacity? {}$Quantity
DeviceSubRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;tolerations? []DeviceToleration;capacity? *CapacityRequirements
ResourceSliceSpec driver string;pool ResourcePool;nodeName? string;nodeSelector? *core/v1.NodeSelector;allNodes? bool;devices? []Device;perDeviceNodeSelection? *bool;sharedCounters? []CounterSet
resource.k8s.io/v1beta2
Device name string;attributes? {}DeviceAttribute;capacity? {}DeviceCapacity;consumesCounters? []DeviceCounterConsumption;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;taints? []DeviceTaint;bindsToNode? *bool;bindingConditions? []string;bindingFailureConditions? []string;allowMultipleAllocations? *bool;nodeAllocatableResourceMappings? {}NodeAllocatableResourceMapping
DeviceCounterConsumption counterSet string;counters? {}Counter
DeviceRequestAllocationResult request string;driver string;pool string;device string;adminAccess? *bool;tolerations? []DeviceToleration;bindingConditions? []string;bindingFailureConditions? []string;shareID? *string;consumedCapacity? {}$Quantity
DeviceSubRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;tolerations? []DeviceToleration;capacity? *CapacityRequirements
ExactDeviceRequest deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;adminAccess? *bool;tolerations? []DeviceToleration;capacity? *CapacityRequirements
ResourceSliceSpec driver string;pool ResourcePool;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;devices? []Device;perDeviceNodeSelection? *bool;sharedCounters? []CounterSet
storage.k8s.io/v1
CSINode metadata? meta/v1.ObjectMeta;spec CSINodeSpec
storage.k8s.io/v1beta1
CSINode metadata? meta/v1.ObjectMeta;spec CSINodeSpec
`;
