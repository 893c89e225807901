// Written by test/envtest/fields/write.mjs from the Go types of Kubernetes 1.36.3; do not edit.
// go-type.ts documents the format of the lines.

export const goTypeLines: string = `
admission.k8s.io/v1
AdmissionRequest uid string;kind meta/v1.GroupVersionKind;resource meta/v1.GroupVersionResource;subResource? string;name? string;namespace? string;operation string;userInfo authentication.k8s.io/v1.UserInfo;object? $RawExtension;oldObject? $RawExtension;dryRun? *bool;options? $RawExtension;requestKind? *meta/v1.GroupVersionKind;requestResource? *meta/v1.GroupVersionResource;requestSubResource? string
AdmissionResponse uid string;allowed bool;status? *meta/v1.Status;patch? bytes;patchType? *string;auditAnnotations? {}string;warnings? []string
AdmissionReview request? *AdmissionRequest;response? *AdmissionResponse
admission.k8s.io/v1beta1
AdmissionRequest uid string;kind meta/v1.GroupVersionKind;resource meta/v1.GroupVersionResource;subResource? string;name? string;namespace? string;operation string;userInfo authentication.k8s.io/v1.UserInfo;object? $RawExtension;oldObject? $RawExtension;dryRun? *bool;options? $RawExtension;requestKind? *meta/v1.GroupVersionKind;requestResource? *meta/v1.GroupVersionResource;requestSubResource? string
AdmissionResponse uid string;allowed bool;status? *meta/v1.Status;patch? bytes;patchType? *string;auditAnnotations? {}string;warnings? []string
AdmissionReview request? *AdmissionRequest;response? *AdmissionResponse
admissionregistration.k8s.io/v1
ApplyConfiguration expression? string
AuditAnnotation key string;valueExpression string
ExpressionWarning fieldRef string;warning string
JSONPatch expression? string
MatchCondition name string;expression string
MatchResources namespaceSelector? *meta/v1.LabelSelector;objectSelector? *meta/v1.LabelSelector;resourceRules? []NamedRuleWithOperations;excludeResourceRules? []NamedRuleWithOperations;matchPolicy? *string
MutatingAdmissionPolicy metadata? meta/v1.ObjectMeta;spec? MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata? meta/v1.ObjectMeta;spec? MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList metadata? meta/v1.ListMeta;items []MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName? string;paramRef? *ParamRef;matchResources? *MatchResources
MutatingAdmissionPolicyList metadata? meta/v1.ListMeta;items []MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind? *ParamKind;matchConstraints? *MatchResources;variables? []Variable;mutations? []Mutation;failurePolicy? *string;matchConditions? []MatchCondition;reinvocationPolicy? string
MutatingWebhook name string;clientConfig WebhookClientConfig;rules? []RuleWithOperations;failurePolicy? *string;namespaceSelector? *meta/v1.LabelSelector;sideEffects *string;timeoutSeconds? *int32;admissionReviewVersions []string;matchPolicy? *string;reinvocationPolicy? *string;objectSelector? *meta/v1.LabelSelector;matchConditions? []MatchCondition
MutatingWebhookConfiguration metadata? meta/v1.ObjectMeta;webhooks? []MutatingWebhook
MutatingWebhookConfigurationList metadata? meta/v1.ListMeta;items []MutatingWebhookConfiguration
Mutation patchType string;applyConfiguration? *ApplyConfiguration;jsonPatch? *JSONPatch
NamedRuleWithOperations resourceNames? []string; RuleWithOperations
ParamKind apiVersion? string;kind? string
ParamRef name? string;namespace? string;selector? *meta/v1.LabelSelector;parameterNotFoundAction? *string
Rule apiGroups? []string;apiVersions? []string;resources? []string;scope? *string
RuleWithOperations operations? []string; Rule
ServiceReference namespace string;name string;path? *string;port? *int32
TypeChecking expressionWarnings? []ExpressionWarning
ValidatingAdmissionPolicy metadata? meta/v1.ObjectMeta;spec? ValidatingAdmissionPolicySpec;status? ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata? meta/v1.ObjectMeta;spec? ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList metadata? meta/v1.ListMeta;items []ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec policyName? string;paramRef? *ParamRef;matchResources? *MatchResources;validationActions? []string
ValidatingAdmissionPolicyList metadata? meta/v1.ListMeta;items []ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec paramKind? *ParamKind;matchConstraints? *MatchResources;validations? []Validation;failurePolicy? *string;auditAnnotations? []AuditAnnotation;matchConditions? []MatchCondition;variables? []Variable
ValidatingAdmissionPolicyStatus observedGeneration? int64;typeChecking? *TypeChecking;conditions? []meta/v1.Condition
ValidatingWebhook name string;clientConfig WebhookClientConfig;rules? []RuleWithOperations;failurePolicy? *string;namespaceSelector? *meta/v1.LabelSelector;sideEffects *string;timeoutSeconds? *int32;admissionReviewVersions []string;matchPolicy? *string;objectSelector? *meta/v1.LabelSelector;matchConditions? []MatchCondition
ValidatingWebhookConfiguration metadata? meta/v1.ObjectMeta;webhooks? []ValidatingWebhook
ValidatingWebhookConfigurationList metadata? meta/v1.ListMeta;items []ValidatingWebhookConfiguration
Validation expression string;message? string;reason? *string;messageExpression? string
Variable name string;expression string
WebhookClientConfig service? *ServiceReference;caBundle? bytes;url? *string
admissionregistration.k8s.io/v1alpha1
ApplyConfiguration expression? string
AuditAnnotation key string;valueExpression string
ExpressionWarning fieldRef string;warning string
JSONPatch expression? string
MatchCondition name string;expression string
MatchResources namespaceSelector? *meta/v1.LabelSelector;objectSelector? *meta/v1.LabelSelector;resourceRules? []NamedRuleWithOperations;excludeResourceRules? []NamedRuleWithOperations;matchPolicy? *string
MutatingAdmissionPolicy metadata? meta/v1.ObjectMeta;spec? MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata? meta/v1.ObjectMeta;spec? MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList metadata? meta/v1.ListMeta;items []MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName? string;paramRef? *ParamRef;matchResources? *MatchResources
MutatingAdmissionPolicyList metadata? meta/v1.ListMeta;items []MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind? *ParamKind;matchConstraints? *MatchResources;variables? []Variable;mutations? []Mutation;failurePolicy? *string;matchConditions? []MatchCondition;reinvocationPolicy? string
Mutation patchType string;applyConfiguration? *ApplyConfiguration;jsonPatch? *JSONPatch
NamedRuleWithOperations resourceNames? []string; admissionregistration.k8s.io/v1.RuleWithOperations
ParamKind apiVersion? string;kind? string
ParamRef name? string;namespace? string;selector? *meta/v1.LabelSelector;parameterNotFoundAction? *string
TypeChecking expressionWarnings? []ExpressionWarning
ValidatingAdmissionPolicy metadata? meta/v1.ObjectMeta;spec? ValidatingAdmissionPolicySpec;status? ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata? meta/v1.ObjectMeta;spec? ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList metadata? meta/v1.ListMeta;items []ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec policyName? string;paramRef? *ParamRef;matchResources? *MatchResources;validationActions? []string
ValidatingAdmissionPolicyList metadata? meta/v1.ListMeta;items []ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec paramKind? *ParamKind;matchConstraints? *MatchResources;validations? []Validation;failurePolicy? *string;auditAnnotations? []AuditAnnotation;matchConditions? []MatchCondition;variables? []Variable
ValidatingAdmissionPolicyStatus observedGeneration? int64;typeChecking? *TypeChecking;conditions? []meta/v1.Condition
Validation expression string;message? string;reason? *string;messageExpression? string
Variable name string;expression string
admissionregistration.k8s.io/v1beta1
ApplyConfiguration expression? string
AuditAnnotation key string;valueExpression string
ExpressionWarning fieldRef string;warning string
JSONPatch expression? string
MatchCondition name string;expression string
MatchResources namespaceSelector? *meta/v1.LabelSelector;objectSelector? *meta/v1.LabelSelector;resourceRules? []NamedRuleWithOperations;excludeResourceRules? []NamedRuleWithOperations;matchPolicy? *string
MutatingAdmissionPolicy metadata? meta/v1.ObjectMeta;spec? MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata? meta/v1.ObjectMeta;spec? MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList metadata? meta/v1.ListMeta;items []MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName? string;paramRef? *ParamRef;matchResources? *MatchResources
MutatingAdmissionPolicyList metadata? meta/v1.ListMeta;items []MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind? *ParamKind;matchConstraints? *MatchResources;variables? []Variable;mutations? []Mutation;failurePolicy? *string;matchConditions? []MatchCondition;reinvocationPolicy? string
MutatingWebhook name string;clientConfig WebhookClientConfig;rules? []admissionregistration.k8s.io/v1.RuleWithOperations;failurePolicy? *string;namespaceSelector? *meta/v1.LabelSelector;sideEffects? *string;timeoutSeconds? *int32;admissionReviewVersions? []string;matchPolicy? *string;reinvocationPolicy? *string;objectSelector? *meta/v1.LabelSelector;matchConditions? []MatchCondition
MutatingWebhookConfiguration metadata? meta/v1.ObjectMeta;webhooks? []MutatingWebhook
MutatingWebhookConfigurationList metadata? meta/v1.ListMeta;items []MutatingWebhookConfiguration
Mutation patchType string;applyConfiguration? *ApplyConfiguration;jsonPatch? *JSONPatch
NamedRuleWithOperations resourceNames? []string; admissionregistration.k8s.io/v1.RuleWithOperations
ParamKind apiVersion? string;kind? string
ParamRef name? string;namespace? string;selector? *meta/v1.LabelSelector;parameterNotFoundAction? *string
ServiceReference namespace string;name string;path? *string;port? *int32
TypeChecking expressionWarnings? []ExpressionWarning
ValidatingAdmissionPolicy metadata? meta/v1.ObjectMeta;spec? ValidatingAdmissionPolicySpec;status? ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata? meta/v1.ObjectMeta;spec? ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList metadata? meta/v1.ListMeta;items []ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec policyName? string;paramRef? *ParamRef;matchResources? *MatchResources;validationActions? []string
ValidatingAdmissionPolicyList metadata? meta/v1.ListMeta;items []ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec paramKind? *ParamKind;matchConstraints? *MatchResources;validations? []Validation;failurePolicy? *string;auditAnnotations? []AuditAnnotation;matchConditions? []MatchCondition;variables? []Variable
ValidatingAdmissionPolicyStatus observedGeneration? int64;typeChecking? *TypeChecking;conditions? []meta/v1.Condition
ValidatingWebhook name string;clientConfig WebhookClientConfig;rules? []admissionregistration.k8s.io/v1.RuleWithOperations;failurePolicy? *string;namespaceSelector? *meta/v1.LabelSelector;sideEffects? *string;timeoutSeconds? *int32;admissionReviewVersions? []string;matchPolicy? *string;objectSelector? *meta/v1.LabelSelector;matchConditions? []MatchCondition
ValidatingWebhookConfiguration metadata? meta/v1.ObjectMeta;webhooks? []ValidatingWebhook
ValidatingWebhookConfigurationList metadata? meta/v1.ListMeta;items []ValidatingWebhookConfiguration
Validation expression string;message? string;reason? *string;messageExpression? string
Variable name string;expression string
WebhookClientConfig service? *ServiceReference;caBundle? bytes;url? *string
apidiscovery.k8s.io/v2
APIGroupDiscovery metadata? meta/v1.ObjectMeta;versions? []APIVersionDiscovery
APIGroupDiscoveryList metadata? meta/v1.ListMeta;items []APIGroupDiscovery
APIResourceDiscovery resource string;responseKind? *meta/v1.GroupVersionKind;scope string;singularResource string;verbs []string;shortNames? []string;categories? []string;subresources? []APISubresourceDiscovery
APISubresourceDiscovery subresource string;responseKind? *meta/v1.GroupVersionKind;acceptedTypes? []meta/v1.GroupVersionKind;verbs []string
APIVersionDiscovery version string;resources? []APIResourceDiscovery;freshness? string
apidiscovery.k8s.io/v2beta1
APIGroupDiscovery metadata? meta/v1.ObjectMeta;versions? []APIVersionDiscovery
APIGroupDiscoveryList metadata? meta/v1.ListMeta;items []APIGroupDiscovery
APIResourceDiscovery resource string;responseKind? *meta/v1.GroupVersionKind;scope string;singularResource string;verbs []string;shortNames? []string;categories? []string;subresources? []APISubresourceDiscovery
APISubresourceDiscovery subresource string;responseKind? *meta/v1.GroupVersionKind;acceptedTypes? []meta/v1.GroupVersionKind;verbs []string
APIVersionDiscovery version string;resources? []APIResourceDiscovery;freshness? string
apiextensions.k8s.io/v1
ConversionRequest uid string;desiredAPIVersion string;objects []$RawExtension
ConversionResponse uid string;convertedObjects []$RawExtension;result meta/v1.Status
ConversionReview request? *ConversionRequest;response? *ConversionResponse
CustomResourceColumnDefinition name string;type string;format? string;description? string;priority? int32;jsonPath string
CustomResourceConversion strategy string;webhook? *WebhookConversion
CustomResourceDefinition metadata? meta/v1.ObjectMeta;spec CustomResourceDefinitionSpec;status? CustomResourceDefinitionStatus
CustomResourceDefinitionCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string;observedGeneration? int64
CustomResourceDefinitionList metadata? meta/v1.ListMeta;items []CustomResourceDefinition
CustomResourceDefinitionNames plural string;singular? string;shortNames? []string;kind string;listKind? string;categories? []string
CustomResourceDefinitionSpec group string;names CustomResourceDefinitionNames;scope string;versions []CustomResourceDefinitionVersion;conversion? *CustomResourceConversion;preserveUnknownFields? bool
CustomResourceDefinitionStatus conditions []CustomResourceDefinitionCondition;acceptedNames CustomResourceDefinitionNames;storedVersions []string;observedGeneration? int64
CustomResourceDefinitionVersion name string;served bool;storage bool;schema? *CustomResourceValidation;subresources? *CustomResourceSubresources;additionalPrinterColumns? []CustomResourceColumnDefinition;deprecated? bool;deprecationWarning? *string;selectableFields? []SelectableField
CustomResourceSubresourceScale specReplicasPath string;statusReplicasPath string;labelSelectorPath? *string
CustomResourceSubresourceStatus
CustomResourceSubresources status? *CustomResourceSubresourceStatus;scale? *CustomResourceSubresourceScale
CustomResourceValidation openAPIV3Schema? *JSONSchemaProps
ExternalDocumentation description? string;url? string
JSONSchemaProps id? string;$schema? string;$ref? *string;description? string;type? string;format? string;title? string;default? *$JSON;maximum? *double;exclusiveMaximum? bool;minimum? *double;exclusiveMinimum? bool;maxLength? *int64;minLength? *int64;pattern? string;maxItems? *int64;minItems? *int64;uniqueItems? bool;multipleOf? *double;enum? []$JSON;maxProperties? *int64;minProperties? *int64;required? []string;items? *$JSONSchemaPropsOrArray;allOf? []JSONSchemaProps;oneOf? []JSONSchemaProps;anyOf? []JSONSchemaProps;not? *JSONSchemaProps;properties? {}JSONSchemaProps;additionalProperties? *$JSONSchemaPropsOrBool;patternProperties? {}JSONSchemaProps;dependencies? {}$JSONSchemaPropsOrStringArray;additionalItems? *$JSONSchemaPropsOrBool;definitions? {}JSONSchemaProps;externalDocs? *ExternalDocumentation;example? *$JSON;nullable? bool;x-kubernetes-preserve-unknown-fields? *bool;x-kubernetes-embedded-resource? bool;x-kubernetes-int-or-string? bool;x-kubernetes-list-map-keys? []string;x-kubernetes-list-type? *string;x-kubernetes-map-type? *string;x-kubernetes-validations? []ValidationRule
SelectableField jsonPath string
ServiceReference namespace string;name string;path? *string;port? *int32
ValidationRule rule string;message? string;messageExpression? string;reason? *string;fieldPath? string;optionalOldSelf? *bool
WebhookClientConfig service? *ServiceReference;caBundle? bytes;url? *string
WebhookConversion clientConfig? *WebhookClientConfig;conversionReviewVersions []string
apiextensions.k8s.io/v1beta1
ConversionRequest uid string;desiredAPIVersion string;objects []$RawExtension
ConversionResponse uid string;convertedObjects []$RawExtension;result meta/v1.Status
ConversionReview request? *ConversionRequest;response? *ConversionResponse
CustomResourceColumnDefinition name string;type string;format? string;description? string;priority? int32;JSONPath string
CustomResourceConversion strategy string;webhookClientConfig? *WebhookClientConfig;conversionReviewVersions? []string
CustomResourceDefinition metadata? meta/v1.ObjectMeta;spec CustomResourceDefinitionSpec;status? CustomResourceDefinitionStatus
CustomResourceDefinitionCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string;observedGeneration? int64
CustomResourceDefinitionList metadata? meta/v1.ListMeta;items []CustomResourceDefinition
CustomResourceDefinitionNames plural string;singular? string;shortNames? []string;kind string;listKind? string;categories? []string
CustomResourceDefinitionSpec group string;version? string;names CustomResourceDefinitionNames;scope string;validation? *CustomResourceValidation;subresources? *CustomResourceSubresources;versions? []CustomResourceDefinitionVersion;additionalPrinterColumns? []CustomResourceColumnDefinition;conversion? *CustomResourceConversion;preserveUnknownFields? *bool;selectableFields? []SelectableField
CustomResourceDefinitionStatus conditions []CustomResourceDefinitionCondition;acceptedNames CustomResourceDefinitionNames;storedVersions []string;observedGeneration? int64
CustomResourceDefinitionVersion name string;served bool;storage bool;schema? *CustomResourceValidation;subresources? *CustomResourceSubresources;additionalPrinterColumns? []CustomResourceColumnDefinition;deprecated? bool;deprecationWarning? *string;selectableFields? []SelectableField
CustomResourceSubresourceScale specReplicasPath string;statusReplicasPath string;labelSelectorPath? *string
CustomResourceSubresourceStatus
CustomResourceSubresources status? *CustomResourceSubresourceStatus;scale? *CustomResourceSubresourceScale
CustomResourceValidation openAPIV3Schema? *JSONSchemaProps
ExternalDocumentation description? string;url? string
JSONSchemaProps id? string;$schema? string;$ref? *string;description? string;type? string;format? string;title? string;default? *$JSON;maximum? *double;exclusiveMaximum? bool;minimum? *double;exclusiveMinimum? bool;maxLength? *int64;minLength? *int64;pattern? string;maxItems? *int64;minItems? *int64;uniqueItems? bool;multipleOf? *double;enum? []$JSON;maxProperties? *int64;minProperties? *int64;required? []string;items? *$JSONSchemaPropsOrArray;allOf? []JSONSchemaProps;oneOf? []JSONSchemaProps;anyOf? []JSONSchemaProps;not? *JSONSchemaProps;properties? {}JSONSchemaProps;additionalProperties? *$JSONSchemaPropsOrBool;patternProperties? {}JSONSchemaProps;dependencies? {}$JSONSchemaPropsOrStringArray;additionalItems? *$JSONSchemaPropsOrBool;definitions? {}JSONSchemaProps;externalDocs? *ExternalDocumentation;example? *$JSON;nullable? bool;x-kubernetes-preserve-unknown-fields? *bool;x-kubernetes-embedded-resource? bool;x-kubernetes-int-or-string? bool;x-kubernetes-list-map-keys? []string;x-kubernetes-list-type? *string;x-kubernetes-map-type? *string;x-kubernetes-validations? []ValidationRule
SelectableField jsonPath string
ServiceReference namespace string;name string;path? *string;port? *int32
ValidationRule rule string;message? string;messageExpression? string;reason? *string;fieldPath? string;optionalOldSelf? *bool
WebhookClientConfig service? *ServiceReference;caBundle? bytes;url? *string
apiregistration.k8s.io/v1
APIService metadata? meta/v1.ObjectMeta;spec? APIServiceSpec;status? APIServiceStatus
APIServiceCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
APIServiceList metadata? meta/v1.ListMeta;items []APIService
APIServiceSpec service? *ServiceReference;group? string;version? string;insecureSkipTLSVerify? bool;caBundle? bytes;groupPriorityMinimum int32;versionPriority int32
APIServiceStatus conditions? []APIServiceCondition
ServiceReference namespace? string;name? string;port? *int32
apiregistration.k8s.io/v1beta1
APIService metadata? meta/v1.ObjectMeta;spec? APIServiceSpec;status? APIServiceStatus
APIServiceCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
APIServiceList metadata? meta/v1.ListMeta;items []APIService
APIServiceSpec service? *ServiceReference;group? string;version? string;insecureSkipTLSVerify? bool;caBundle? bytes;groupPriorityMinimum int32;versionPriority int32
APIServiceStatus conditions? []APIServiceCondition
ServiceReference namespace? string;name? string;port? *int32
apps/v1
ControllerRevision metadata? meta/v1.ObjectMeta;data? $RawExtension;revision int64
ControllerRevisionList metadata? meta/v1.ListMeta;items []ControllerRevision
DaemonSet metadata? meta/v1.ObjectMeta;spec? DaemonSetSpec;status? DaemonSetStatus
DaemonSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
DaemonSetList metadata? meta/v1.ListMeta;items []DaemonSet
DaemonSetSpec selector *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;updateStrategy? DaemonSetUpdateStrategy;minReadySeconds? int32;revisionHistoryLimit? *int32
DaemonSetStatus currentNumberScheduled int32;numberMisscheduled int32;desiredNumberScheduled int32;numberReady int32;observedGeneration? int64;updatedNumberScheduled? int32;numberAvailable? int32;numberUnavailable? int32;collisionCount? *int32;conditions? []DaemonSetCondition
DaemonSetUpdateStrategy type? string;rollingUpdate? *RollingUpdateDaemonSet
Deployment metadata? meta/v1.ObjectMeta;spec? DeploymentSpec;status? DeploymentStatus
DeploymentCondition type string;status string;reason? string;message? string;lastUpdateTime? $Time;lastTransitionTime? $Time
DeploymentList metadata? meta/v1.ListMeta;items []Deployment
DeploymentSpec replicas? *int32;selector *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;strategy? DeploymentStrategy;minReadySeconds? int32;revisionHistoryLimit? *int32;paused? bool;progressDeadlineSeconds? *int32
DeploymentStatus observedGeneration? int64;replicas? int32;updatedReplicas? int32;availableReplicas? int32;unavailableReplicas? int32;conditions? []DeploymentCondition;readyReplicas? int32;collisionCount? *int32;terminatingReplicas? *int32
DeploymentStrategy type? string;rollingUpdate? *RollingUpdateDeployment
ReplicaSet metadata? meta/v1.ObjectMeta;spec? ReplicaSetSpec;status? ReplicaSetStatus
ReplicaSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
ReplicaSetList metadata? meta/v1.ListMeta;items []ReplicaSet
ReplicaSetSpec replicas? *int32;selector *meta/v1.LabelSelector;template? core/v1.PodTemplateSpec;minReadySeconds? int32
ReplicaSetStatus replicas int32;fullyLabeledReplicas? int32;observedGeneration? int64;readyReplicas? int32;availableReplicas? int32;conditions? []ReplicaSetCondition;terminatingReplicas? *int32
RollingUpdateDaemonSet maxUnavailable? *$IntOrString;maxSurge? *$IntOrString
RollingUpdateDeployment maxUnavailable? *$IntOrString;maxSurge? *$IntOrString
RollingUpdateStatefulSetStrategy partition? *int32;maxUnavailable? *$IntOrString
StatefulSet metadata? meta/v1.ObjectMeta;spec? StatefulSetSpec;status? StatefulSetStatus
StatefulSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
StatefulSetList metadata? meta/v1.ListMeta;items []StatefulSet
StatefulSetOrdinals start int32
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted? string;whenScaled? string
StatefulSetSpec replicas? *int32;selector *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;volumeClaimTemplates? []core/v1.PersistentVolumeClaim;serviceName string;podManagementPolicy? string;updateStrategy? StatefulSetUpdateStrategy;revisionHistoryLimit? *int32;minReadySeconds? int32;persistentVolumeClaimRetentionPolicy? *StatefulSetPersistentVolumeClaimRetentionPolicy;ordinals? *StatefulSetOrdinals
StatefulSetStatus observedGeneration? int64;replicas int32;readyReplicas? int32;currentReplicas? int32;updatedReplicas? int32;currentRevision? string;updateRevision? string;collisionCount? *int32;conditions? []StatefulSetCondition;availableReplicas int32
StatefulSetUpdateStrategy type? string;rollingUpdate? *RollingUpdateStatefulSetStrategy
apps/v1beta1
ControllerRevision metadata? meta/v1.ObjectMeta;data? $RawExtension;revision int64
ControllerRevisionList metadata? meta/v1.ListMeta;items []ControllerRevision
Deployment metadata? meta/v1.ObjectMeta;spec? DeploymentSpec;status? DeploymentStatus
DeploymentCondition type string;status string;reason? string;message? string;lastUpdateTime? $Time;lastTransitionTime? $Time
DeploymentList metadata? meta/v1.ListMeta;items []Deployment
DeploymentRollback name string;updatedAnnotations? {}string;rollbackTo RollbackConfig
DeploymentSpec replicas? *int32;selector? *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;strategy? DeploymentStrategy;minReadySeconds? int32;revisionHistoryLimit? *int32;paused? bool;rollbackTo? *RollbackConfig;progressDeadlineSeconds? *int32
DeploymentStatus observedGeneration? int64;replicas? int32;updatedReplicas? int32;availableReplicas? int32;unavailableReplicas? int32;conditions? []DeploymentCondition;readyReplicas? int32;collisionCount? *int32;terminatingReplicas? *int32
DeploymentStrategy type? string;rollingUpdate? *RollingUpdateDeployment
RollbackConfig revision? int64
RollingUpdateDeployment maxUnavailable? *$IntOrString;maxSurge? *$IntOrString
RollingUpdateStatefulSetStrategy partition? *int32;maxUnavailable? *$IntOrString
Scale metadata? meta/v1.ObjectMeta;spec? ScaleSpec;status? ScaleStatus
ScaleSpec replicas? int32
ScaleStatus replicas int32;selector? {}string;targetSelector? string
StatefulSet metadata? meta/v1.ObjectMeta;spec? StatefulSetSpec;status? StatefulSetStatus
StatefulSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
StatefulSetList metadata? meta/v1.ListMeta;items []StatefulSet
StatefulSetOrdinals start int32
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted? string;whenScaled? string
StatefulSetSpec replicas? *int32;selector? *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;volumeClaimTemplates? []core/v1.PersistentVolumeClaim;serviceName string;podManagementPolicy? string;updateStrategy? StatefulSetUpdateStrategy;revisionHistoryLimit? *int32;minReadySeconds? int32;persistentVolumeClaimRetentionPolicy? *StatefulSetPersistentVolumeClaimRetentionPolicy;ordinals? *StatefulSetOrdinals
StatefulSetStatus observedGeneration? *int64;replicas int32;readyReplicas? int32;currentReplicas? int32;updatedReplicas? int32;currentRevision? string;updateRevision? string;collisionCount? *int32;conditions? []StatefulSetCondition;availableReplicas int32
StatefulSetUpdateStrategy type? string;rollingUpdate? *RollingUpdateStatefulSetStrategy
apps/v1beta2
ControllerRevision metadata? meta/v1.ObjectMeta;data? $RawExtension;revision int64
ControllerRevisionList metadata? meta/v1.ListMeta;items []ControllerRevision
DaemonSet metadata? meta/v1.ObjectMeta;spec? DaemonSetSpec;status? DaemonSetStatus
DaemonSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
DaemonSetList metadata? meta/v1.ListMeta;items []DaemonSet
DaemonSetSpec selector *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;updateStrategy? DaemonSetUpdateStrategy;minReadySeconds? int32;revisionHistoryLimit? *int32
DaemonSetStatus currentNumberScheduled int32;numberMisscheduled int32;desiredNumberScheduled int32;numberReady int32;observedGeneration? int64;updatedNumberScheduled? int32;numberAvailable? int32;numberUnavailable? int32;collisionCount? *int32;conditions? []DaemonSetCondition
DaemonSetUpdateStrategy type? string;rollingUpdate? *RollingUpdateDaemonSet
Deployment metadata? meta/v1.ObjectMeta;spec? DeploymentSpec;status? DeploymentStatus
DeploymentCondition type string;status string;reason? string;message? string;lastUpdateTime? $Time;lastTransitionTime? $Time
DeploymentList metadata? meta/v1.ListMeta;items []Deployment
DeploymentSpec replicas? *int32;selector *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;strategy? DeploymentStrategy;minReadySeconds? int32;revisionHistoryLimit? *int32;paused? bool;progressDeadlineSeconds? *int32
DeploymentStatus observedGeneration? int64;replicas? int32;updatedReplicas? int32;availableReplicas? int32;unavailableReplicas? int32;conditions? []DeploymentCondition;readyReplicas? int32;collisionCount? *int32;terminatingReplicas? *int32
DeploymentStrategy type? string;rollingUpdate? *RollingUpdateDeployment
ReplicaSet metadata? meta/v1.ObjectMeta;spec? ReplicaSetSpec;status? ReplicaSetStatus
ReplicaSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
ReplicaSetList metadata? meta/v1.ListMeta;items []ReplicaSet
ReplicaSetSpec replicas? *int32;selector *meta/v1.LabelSelector;template? core/v1.PodTemplateSpec;minReadySeconds? int32
ReplicaSetStatus replicas int32;fullyLabeledReplicas? int32;observedGeneration? int64;readyReplicas? int32;availableReplicas? int32;conditions? []ReplicaSetCondition;terminatingReplicas? *int32
RollingUpdateDaemonSet maxUnavailable? *$IntOrString;maxSurge? *$IntOrString
RollingUpdateDeployment maxUnavailable? *$IntOrString;maxSurge? *$IntOrString
RollingUpdateStatefulSetStrategy partition? *int32;maxUnavailable? *$IntOrString
Scale metadata? meta/v1.ObjectMeta;spec? ScaleSpec;status? ScaleStatus
ScaleSpec replicas? int32
ScaleStatus replicas int32;selector? {}string;targetSelector? string
StatefulSet metadata? meta/v1.ObjectMeta;spec? StatefulSetSpec;status? StatefulSetStatus
StatefulSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
StatefulSetList metadata? meta/v1.ListMeta;items []StatefulSet
StatefulSetOrdinals start int32
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted? string;whenScaled? string
StatefulSetSpec replicas? *int32;selector *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;volumeClaimTemplates? []core/v1.PersistentVolumeClaim;serviceName string;podManagementPolicy? string;updateStrategy? StatefulSetUpdateStrategy;revisionHistoryLimit? *int32;minReadySeconds? int32;persistentVolumeClaimRetentionPolicy? *StatefulSetPersistentVolumeClaimRetentionPolicy;ordinals? *StatefulSetOrdinals
StatefulSetStatus observedGeneration? int64;replicas int32;readyReplicas? int32;currentReplicas? int32;updatedReplicas? int32;currentRevision? string;updateRevision? string;collisionCount? *int32;conditions? []StatefulSetCondition;availableReplicas int32
StatefulSetUpdateStrategy type? string;rollingUpdate? *RollingUpdateStatefulSetStrategy
authentication.k8s.io/v1
BoundObjectReference kind? string;apiVersion? string;name? string;uid? string
ExtraValue[] items []string
SelfSubjectReview metadata? meta/v1.ObjectMeta;status? SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo? UserInfo
TokenRequest metadata? meta/v1.ObjectMeta;spec TokenRequestSpec;status? TokenRequestStatus
TokenRequestSpec audiences []string;boundObjectRef *BoundObjectReference;expirationSeconds *int64
TokenRequestStatus token string;expirationTimestamp $Time
TokenReview metadata? meta/v1.ObjectMeta;spec TokenReviewSpec;status? TokenReviewStatus
TokenReviewSpec token? string;audiences? []string
TokenReviewStatus authenticated? bool;user? UserInfo;error? string;audiences? []string
UserInfo username? string;uid? string;groups? []string;extra? {}ExtraValue
authentication.k8s.io/v1alpha1
SelfSubjectReview metadata? meta/v1.ObjectMeta;status? SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo? authentication.k8s.io/v1.UserInfo
authentication.k8s.io/v1beta1
ExtraValue[] items []string
SelfSubjectReview metadata? meta/v1.ObjectMeta;status? SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo? authentication.k8s.io/v1.UserInfo
TokenReview metadata? meta/v1.ObjectMeta;spec TokenReviewSpec;status? TokenReviewStatus
TokenReviewSpec token? string;audiences? []string
TokenReviewStatus authenticated? bool;user? UserInfo;error? string;audiences? []string
UserInfo username? string;uid? string;groups? []string;extra? {}ExtraValue
authorization.k8s.io/v1
ExtraValue[] items []string
FieldSelectorAttributes rawSelector? string;requirements? []meta/v1.FieldSelectorRequirement
LabelSelectorAttributes rawSelector? string;requirements? []meta/v1.LabelSelectorRequirement
LocalSubjectAccessReview metadata? meta/v1.ObjectMeta;spec SubjectAccessReviewSpec;status? SubjectAccessReviewStatus
NonResourceAttributes path? string;verb? string
NonResourceRule verbs []string;nonResourceURLs? []string
ResourceAttributes namespace? string;verb? string;group? string;version? string;resource? string;subresource? string;name? string;fieldSelector? *FieldSelectorAttributes;labelSelector? *LabelSelectorAttributes
ResourceRule verbs []string;apiGroups? []string;resources? []string;resourceNames? []string
SelfSubjectAccessReview metadata? meta/v1.ObjectMeta;spec SelfSubjectAccessReviewSpec;status? SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec resourceAttributes? *ResourceAttributes;nonResourceAttributes? *NonResourceAttributes
SelfSubjectRulesReview metadata? meta/v1.ObjectMeta;spec SelfSubjectRulesReviewSpec;status? SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace? string
SubjectAccessReview metadata? meta/v1.ObjectMeta;spec SubjectAccessReviewSpec;status? SubjectAccessReviewStatus
SubjectAccessReviewSpec resourceAttributes? *ResourceAttributes;nonResourceAttributes? *NonResourceAttributes;user? string;groups? []string;extra? {}ExtraValue;uid? string
SubjectAccessReviewStatus allowed bool;reason? string;evaluationError? string;denied? bool
SubjectRulesReviewStatus resourceRules []ResourceRule;nonResourceRules []NonResourceRule;incomplete bool;evaluationError? string
authorization.k8s.io/v1beta1
ExtraValue[] items []string
LocalSubjectAccessReview metadata? meta/v1.ObjectMeta;spec SubjectAccessReviewSpec;status? SubjectAccessReviewStatus
NonResourceAttributes path? string;verb? string
NonResourceRule verbs []string;nonResourceURLs? []string
ResourceAttributes namespace? string;verb? string;group? string;version? string;resource? string;subresource? string;name? string;fieldSelector? *authorization.k8s.io/v1.FieldSelectorAttributes;labelSelector? *authorization.k8s.io/v1.LabelSelectorAttributes
ResourceRule verbs []string;apiGroups? []string;resources? []string;resourceNames? []string
SelfSubjectAccessReview metadata? meta/v1.ObjectMeta;spec SelfSubjectAccessReviewSpec;status? SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec resourceAttributes? *ResourceAttributes;nonResourceAttributes? *NonResourceAttributes
SelfSubjectRulesReview metadata? meta/v1.ObjectMeta;spec SelfSubjectRulesReviewSpec;status? SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace? string
SubjectAccessReview metadata? meta/v1.ObjectMeta;spec SubjectAccessReviewSpec;status? SubjectAccessReviewStatus
SubjectAccessReviewSpec resourceAttributes? *ResourceAttributes;nonResourceAttributes? *NonResourceAttributes;user? string;group? []string;extra? {}ExtraValue;uid? string
SubjectAccessReviewStatus allowed bool;reason? string;evaluationError? string;denied? bool
SubjectRulesReviewStatus resourceRules []ResourceRule;nonResourceRules []NonResourceRule;incomplete bool;evaluationError? string
autoscaling/v1
ContainerResourceMetricSource name string;targetAverageUtilization? *int32;targetAverageValue? *$Quantity;container string
ContainerResourceMetricStatus name string;currentAverageUtilization? *int32;currentAverageValue $Quantity;container string
CrossVersionObjectReference kind string;name string;apiVersion? string
ExternalMetricSource metricName string;metricSelector? *meta/v1.LabelSelector;targetValue? *$Quantity;targetAverageValue? *$Quantity
ExternalMetricStatus metricName string;metricSelector? *meta/v1.LabelSelector;currentValue $Quantity;currentAverageValue? *$Quantity
HorizontalPodAutoscaler metadata? meta/v1.ObjectMeta;spec? HorizontalPodAutoscalerSpec;status? HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
HorizontalPodAutoscalerList metadata? meta/v1.ListMeta;items []HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef CrossVersionObjectReference;minReplicas? *int32;maxReplicas int32;targetCPUUtilizationPercentage? *int32
HorizontalPodAutoscalerStatus observedGeneration? *int64;lastScaleTime? *$Time;currentReplicas int32;desiredReplicas int32;currentCPUUtilizationPercentage? *int32
MetricSpec type string;object? *ObjectMetricSource;pods? *PodsMetricSource;resource? *ResourceMetricSource;external? *ExternalMetricSource;containerResource? *ContainerResourceMetricSource
MetricStatus type string;object? *ObjectMetricStatus;pods? *PodsMetricStatus;resource? *ResourceMetricStatus;external? *ExternalMetricStatus;containerResource? *ContainerResourceMetricStatus
ObjectMetricSource target CrossVersionObjectReference;metricName string;targetValue $Quantity;selector? *meta/v1.LabelSelector;averageValue? *$Quantity
ObjectMetricStatus target CrossVersionObjectReference;metricName string;currentValue $Quantity;selector? *meta/v1.LabelSelector;averageValue? *$Quantity
PodsMetricSource metricName string;targetAverageValue $Quantity;selector? *meta/v1.LabelSelector
PodsMetricStatus metricName string;currentAverageValue $Quantity;selector? *meta/v1.LabelSelector
ResourceMetricSource name string;targetAverageUtilization? *int32;targetAverageValue? *$Quantity
ResourceMetricStatus name string;currentAverageUtilization? *int32;currentAverageValue $Quantity
Scale metadata? meta/v1.ObjectMeta;spec? ScaleSpec;status? ScaleStatus
ScaleSpec replicas? int32
ScaleStatus replicas int32;selector? string
autoscaling/v2
ContainerResourceMetricSource name string;target MetricTarget;container string
ContainerResourceMetricStatus name string;current MetricValueStatus;container string
CrossVersionObjectReference kind string;name string;apiVersion? string
ExternalMetricSource metric MetricIdentifier;target MetricTarget
ExternalMetricStatus metric MetricIdentifier;current MetricValueStatus
HPAScalingPolicy type string;value int32;periodSeconds int32
HPAScalingRules selectPolicy? *string;policies? []HPAScalingPolicy;stabilizationWindowSeconds? *int32;tolerance? *$Quantity
HorizontalPodAutoscaler metadata? meta/v1.ObjectMeta;spec? HorizontalPodAutoscalerSpec;status? HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerBehavior scaleUp? *HPAScalingRules;scaleDown? *HPAScalingRules
HorizontalPodAutoscalerCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
HorizontalPodAutoscalerList metadata? meta/v1.ListMeta;items []HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef CrossVersionObjectReference;minReplicas? *int32;maxReplicas int32;metrics? []MetricSpec;behavior? *HorizontalPodAutoscalerBehavior
HorizontalPodAutoscalerStatus observedGeneration? *int64;lastScaleTime? *$Time;currentReplicas? int32;desiredReplicas int32;currentMetrics []MetricStatus;conditions? []HorizontalPodAutoscalerCondition
MetricIdentifier name string;selector? *meta/v1.LabelSelector
MetricSpec type string;object? *ObjectMetricSource;pods? *PodsMetricSource;resource? *ResourceMetricSource;external? *ExternalMetricSource;containerResource? *ContainerResourceMetricSource
MetricStatus type string;object? *ObjectMetricStatus;pods? *PodsMetricStatus;resource? *ResourceMetricStatus;external? *ExternalMetricStatus;containerResource? *ContainerResourceMetricStatus
MetricTarget type string;value? *$Quantity;averageValue? *$Quantity;averageUtilization? *int32
MetricValueStatus value? *$Quantity;averageValue? *$Quantity;averageUtilization? *int32
ObjectMetricSource describedObject CrossVersionObjectReference;target MetricTarget;metric MetricIdentifier
ObjectMetricStatus metric MetricIdentifier;current MetricValueStatus;describedObject CrossVersionObjectReference
PodsMetricSource metric MetricIdentifier;target MetricTarget
PodsMetricStatus metric MetricIdentifier;current MetricValueStatus
ResourceMetricSource name string;target MetricTarget
ResourceMetricStatus name string;current MetricValueStatus
batch/v1
CronJob metadata? meta/v1.ObjectMeta;spec? CronJobSpec;status? CronJobStatus
CronJobList metadata? meta/v1.ListMeta;items []CronJob
CronJobSpec schedule string;startingDeadlineSeconds? *int64;concurrencyPolicy? string;suspend? *bool;jobTemplate JobTemplateSpec;successfulJobsHistoryLimit? *int32;failedJobsHistoryLimit? *int32;timeZone? *string
CronJobStatus active? []core/v1.ObjectReference;lastScheduleTime? *$Time;lastSuccessfulTime? *$Time
Job metadata? meta/v1.ObjectMeta;spec? JobSpec;status? JobStatus
JobCondition type string;status string;lastProbeTime? $Time;lastTransitionTime? $Time;reason? string;message? string
JobList metadata? meta/v1.ListMeta;items []Job
JobSpec parallelism? *int32;completions? *int32;activeDeadlineSeconds? *int64;selector? *meta/v1.LabelSelector;manualSelector? *bool;template core/v1.PodTemplateSpec;backoffLimit? *int32;ttlSecondsAfterFinished? *int32;completionMode? *string;suspend? *bool;podFailurePolicy? *PodFailurePolicy;backoffLimitPerIndex? *int32;maxFailedIndexes? *int32;podReplacementPolicy? *string;managedBy? *string;successPolicy? *SuccessPolicy
JobStatus conditions? []JobCondition;startTime? *$Time;completionTime? *$Time;active? int32;succeeded? int32;failed? int32;completedIndexes? string;uncountedTerminatedPods? *UncountedTerminatedPods;ready? *int32;failedIndexes? *string;terminating? *int32
JobTemplateSpec metadata? meta/v1.ObjectMeta;spec? JobSpec
PodFailurePolicy rules []PodFailurePolicyRule
PodFailurePolicyOnExitCodesRequirement containerName? *string;operator string;values []int32
PodFailurePolicyOnPodConditionsPattern type string;status string
PodFailurePolicyRule action string;onExitCodes? *PodFailurePolicyOnExitCodesRequirement;onPodConditions? []PodFailurePolicyOnPodConditionsPattern
SuccessPolicy rules []SuccessPolicyRule
SuccessPolicyRule succeededIndexes? *string;succeededCount? *int32
UncountedTerminatedPods succeeded? []string;failed? []string
batch/v1beta1
CronJob metadata? meta/v1.ObjectMeta;spec? CronJobSpec;status? CronJobStatus
CronJobList metadata? meta/v1.ListMeta;items []CronJob
CronJobSpec schedule string;startingDeadlineSeconds? *int64;concurrencyPolicy? string;suspend? *bool;jobTemplate JobTemplateSpec;successfulJobsHistoryLimit? *int32;failedJobsHistoryLimit? *int32;timeZone? *string
CronJobStatus active? []core/v1.ObjectReference;lastScheduleTime? *$Time;lastSuccessfulTime? *$Time
JobTemplateSpec metadata? meta/v1.ObjectMeta;spec? batch/v1.JobSpec
certificates.k8s.io/v1
CertificateSigningRequest metadata? meta/v1.ObjectMeta;spec CertificateSigningRequestSpec;status? CertificateSigningRequestStatus
CertificateSigningRequestCondition type string;reason? string;message? string;lastUpdateTime? $Time;lastTransitionTime? $Time;status string
CertificateSigningRequestList metadata? meta/v1.ListMeta;items []CertificateSigningRequest
CertificateSigningRequestSpec request bytes;username? string;uid? string;groups? []string;usages? []string;extra? {}ExtraValue;signerName string;expirationSeconds? *int32
CertificateSigningRequestStatus conditions? []CertificateSigningRequestCondition;certificate? bytes
ExtraValue[] items []string
certificates.k8s.io/v1alpha1
ClusterTrustBundle metadata? meta/v1.ObjectMeta;spec ClusterTrustBundleSpec
ClusterTrustBundleList metadata? meta/v1.ListMeta;items []ClusterTrustBundle
ClusterTrustBundleSpec signerName? string;trustBundle string
certificates.k8s.io/v1beta1
CertificateSigningRequest metadata? meta/v1.ObjectMeta;spec CertificateSigningRequestSpec;status? CertificateSigningRequestStatus
CertificateSigningRequestCondition type string;reason? string;message? string;lastUpdateTime? $Time;lastTransitionTime? $Time;status string
CertificateSigningRequestList metadata? meta/v1.ListMeta;items []CertificateSigningRequest
CertificateSigningRequestSpec request bytes;username? string;uid? string;groups? []string;usages? []string;extra? {}ExtraValue;signerName? *string;expirationSeconds? *int32
CertificateSigningRequestStatus conditions? []CertificateSigningRequestCondition;certificate? bytes
ClusterTrustBundle metadata? meta/v1.ObjectMeta;spec ClusterTrustBundleSpec
ClusterTrustBundleList metadata? meta/v1.ListMeta;items []ClusterTrustBundle
ClusterTrustBundleSpec signerName? string;trustBundle string
ExtraValue[] items []string
PodCertificateRequest metadata? meta/v1.ObjectMeta;spec PodCertificateRequestSpec;status? PodCertificateRequestStatus
PodCertificateRequestList metadata? meta/v1.ListMeta;items []PodCertificateRequest
PodCertificateRequestSpec signerName string;podName string;podUID string;serviceAccountName string;serviceAccountUID string;nodeName string;nodeUID string;maxExpirationSeconds? *int32;pkixPublicKey bytes;proofOfPossession bytes;unverifiedUserAnnotations? {}string;stubPKCS10Request bytes
PodCertificateRequestStatus conditions? []meta/v1.Condition;certificateChain? string;notBefore? *$Time;beginRefreshAt? *$Time;notAfter? *$Time
coordination.k8s.io/v1
Lease metadata? meta/v1.ObjectMeta;spec? LeaseSpec
LeaseList metadata? meta/v1.ListMeta;items []Lease
LeaseSpec holderIdentity? *string;leaseDurationSeconds? *int32;acquireTime? *$MicroTime;renewTime? *$MicroTime;leaseTransitions? *int32;strategy? *string;preferredHolder? *string
coordination.k8s.io/v1alpha2
LeaseCandidate metadata? meta/v1.ObjectMeta;spec? LeaseCandidateSpec
LeaseCandidateList metadata? meta/v1.ListMeta;items []LeaseCandidate
LeaseCandidateSpec leaseName string;pingTime? *$MicroTime;renewTime? *$MicroTime;binaryVersion string;emulationVersion? string;strategy? string
coordination.k8s.io/v1beta1
Lease metadata? meta/v1.ObjectMeta;spec? LeaseSpec
LeaseCandidate metadata? meta/v1.ObjectMeta;spec? LeaseCandidateSpec
LeaseCandidateList metadata? meta/v1.ListMeta;items []LeaseCandidate
LeaseCandidateSpec leaseName string;pingTime? *$MicroTime;renewTime? *$MicroTime;binaryVersion string;emulationVersion? string;strategy? string
LeaseList metadata? meta/v1.ListMeta;items []Lease
LeaseSpec holderIdentity? *string;leaseDurationSeconds? *int32;acquireTime? *$MicroTime;renewTime? *$MicroTime;leaseTransitions? *int32;strategy? *string;preferredHolder? *string
core/v1
AWSElasticBlockStoreVolumeSource volumeID string;fsType? string;partition? int32;readOnly? bool
Affinity nodeAffinity? *NodeAffinity;podAffinity? *PodAffinity;podAntiAffinity? *PodAntiAffinity
AppArmorProfile type string;localhostProfile? *string
AttachedVolume name string;devicePath string
AvoidPods preferAvoidPods? []PreferAvoidPodsEntry
AzureDiskVolumeSource diskName string;diskURI string;cachingMode? *string;fsType? *string;readOnly? *bool;kind? *string
AzureFilePersistentVolumeSource secretName string;shareName string;readOnly? bool;secretNamespace *string
AzureFileVolumeSource secretName string;shareName string;readOnly? bool
Binding metadata? meta/v1.ObjectMeta;target ObjectReference
CSIPersistentVolumeSource driver string;volumeHandle string;readOnly? bool;fsType? string;volumeAttributes? {}string;controllerPublishSecretRef? *SecretReference;nodeStageSecretRef? *SecretReference;nodePublishSecretRef? *SecretReference;controllerExpandSecretRef? *SecretReference;nodeExpandSecretRef? *SecretReference
CSIVolumeSource driver string;readOnly? *bool;fsType? *string;volumeAttributes? {}string;nodePublishSecretRef? *LocalObjectReference
Capabilities add? []string;drop? []string
CephFSPersistentVolumeSource monitors []string;path? string;user? string;secretFile? string;secretRef? *SecretReference;readOnly? bool
CephFSVolumeSource monitors []string;path? string;user? string;secretFile? string;secretRef? *LocalObjectReference;readOnly? bool
CinderPersistentVolumeSource volumeID string;fsType? string;readOnly? bool;secretRef? *SecretReference
CinderVolumeSource volumeID string;fsType? string;readOnly? bool;secretRef? *LocalObjectReference
ClientIPConfig timeoutSeconds? *int32
ClusterTrustBundleProjection name? *string;signerName? *string;labelSelector? *meta/v1.LabelSelector;path string;optional? *bool
ComponentCondition type string;status string;message? string;error? string
ComponentStatus metadata? meta/v1.ObjectMeta;conditions? []ComponentCondition
ComponentStatusList metadata? meta/v1.ListMeta;items []ComponentStatus
ConfigMap metadata? meta/v1.ObjectMeta;data? {}string;binaryData? {}bytes;immutable? *bool
ConfigMapEnvSource  LocalObjectReference;optional? *bool
ConfigMapKeySelector  LocalObjectReference;key string;optional? *bool
ConfigMapList metadata? meta/v1.ListMeta;items []ConfigMap
ConfigMapNodeConfigSource namespace string;name string;uid? string;resourceVersion? string;kubeletConfigKey string
ConfigMapProjection  LocalObjectReference;items? []KeyToPath;optional? *bool
ConfigMapVolumeSource  LocalObjectReference;items? []KeyToPath;defaultMode? *int32;optional? *bool
Container name string;image? string;command? []string;args? []string;workingDir? string;ports? []ContainerPort;env? []EnvVar;resources? ResourceRequirements;volumeMounts? []VolumeMount;livenessProbe? *Probe;readinessProbe? *Probe;lifecycle? *Lifecycle;terminationMessagePath? string;imagePullPolicy? string;securityContext? *SecurityContext;stdin? bool;stdinOnce? bool;tty? bool;envFrom? []EnvFromSource;terminationMessagePolicy? string;volumeDevices? []VolumeDevice;startupProbe? *Probe;resizePolicy? []ContainerResizePolicy;restartPolicy? *string;restartPolicyRules? []ContainerRestartRule
ContainerExtendedResourceRequest containerName string;resourceName string;requestName string
ContainerImage names []string;sizeBytes? int64
ContainerPort name? string;hostPort? int32;containerPort int32;protocol? string;hostIP? string
ContainerResizePolicy resourceName string;restartPolicy string
ContainerRestartRule action? string;exitCodes? *ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator? string;values? []int32
ContainerState waiting? *ContainerStateWaiting;running? *ContainerStateRunning;terminated? *ContainerStateTerminated
ContainerStateRunning startedAt? $Time
ContainerStateTerminated exitCode int32;signal? int32;reason? string;message? string;startedAt? $Time;finishedAt? $Time;containerID? string
ContainerStateWaiting reason? string;message? string
ContainerStatus name string;state? ContainerState;lastState? ContainerState;ready bool;restartCount int32;image string;imageID string;containerID? string;started? *bool;allocatedResources? {}$Quantity;resources? *ResourceRequirements;volumeMounts? []VolumeMountStatus;user? *ContainerUser;allocatedResourcesStatus? []ResourceStatus;stopSignal? *string
ContainerUser linux? *LinuxContainerUser
DaemonEndpoint Port int32
DownwardAPIProjection items? []DownwardAPIVolumeFile
DownwardAPIVolumeFile path string;fieldRef? *ObjectFieldSelector;resourceFieldRef? *ResourceFieldSelector;mode? *int32
DownwardAPIVolumeSource items? []DownwardAPIVolumeFile;defaultMode? *int32
EmptyDirVolumeSource medium? string;sizeLimit? *$Quantity
EndpointAddress ip string;targetRef? *ObjectReference;hostname? string;nodeName? *string
EndpointPort name? string;port int32;protocol? string;appProtocol? *string
EndpointSubset addresses? []EndpointAddress;notReadyAddresses? []EndpointAddress;ports? []EndpointPort
Endpoints metadata? meta/v1.ObjectMeta;subsets? []EndpointSubset
EndpointsList metadata? meta/v1.ListMeta;items []Endpoints
EnvFromSource prefix? string;configMapRef? *ConfigMapEnvSource;secretRef? *SecretEnvSource
EnvVar name string;value? string;valueFrom? *EnvVarSource
EnvVarSource fieldRef? *ObjectFieldSelector;resourceFieldRef? *ResourceFieldSelector;configMapKeyRef? *ConfigMapKeySelector;secretKeyRef? *SecretKeySelector;fileKeyRef? *FileKeySelector
EphemeralContainer  EphemeralContainerCommon;targetContainerName? string
EphemeralContainerCommon name string;image? string;command? []string;args? []string;workingDir? string;ports? []ContainerPort;env? []EnvVar;resources? ResourceRequirements;volumeMounts? []VolumeMount;livenessProbe? *Probe;readinessProbe? *Probe;lifecycle? *Lifecycle;terminationMessagePath? string;imagePullPolicy? string;securityContext? *SecurityContext;stdin? bool;stdinOnce? bool;tty? bool;envFrom? []EnvFromSource;terminationMessagePolicy? string;volumeDevices? []VolumeDevice;startupProbe? *Probe;resizePolicy? []ContainerResizePolicy;restartPolicy? *string;restartPolicyRules? []ContainerRestartRule
EphemeralVolumeSource volumeClaimTemplate? *PersistentVolumeClaimTemplate
Event metadata meta/v1.ObjectMeta;involvedObject ObjectReference;reason? string;message? string;source? EventSource;firstTimestamp? $Time;lastTimestamp? $Time;count? int32;type? string;eventTime? $MicroTime;series? *EventSeries;action? string;related? *ObjectReference;reportingComponent string;reportingInstance string
EventList metadata? meta/v1.ListMeta;items []Event
EventSeries count? int32;lastObservedTime? $MicroTime
EventSource component? string;host? string
ExecAction command? []string
FCVolumeSource targetWWNs? []string;lun? *int32;fsType? string;readOnly? bool;wwids? []string
FileKeySelector volumeName string;path string;key string;optional? *bool
FlexPersistentVolumeSource driver string;fsType? string;secretRef? *SecretReference;readOnly? bool;options? {}string
FlexVolumeSource driver string;fsType? string;secretRef? *LocalObjectReference;readOnly? bool;options? {}string
FlockerVolumeSource datasetName? string;datasetUUID? string
GCEPersistentDiskVolumeSource pdName string;fsType? string;partition? int32;readOnly? bool
GRPCAction port int32;service *string
GitRepoVolumeSource repository string;revision? string;directory? string
GlusterfsPersistentVolumeSource endpoints string;path string;readOnly? bool;endpointsNamespace? *string
GlusterfsVolumeSource endpoints string;path string;readOnly? bool
HTTPGetAction path? string;port $IntOrString;host? string;scheme? string;httpHeaders? []HTTPHeader
HTTPHeader name string;value string
HostAlias ip string;hostnames? []string
HostIP ip string
HostPathVolumeSource path string;type? *string
ISCSIPersistentVolumeSource targetPortal string;iqn string;lun int32;iscsiInterface? string;fsType? string;readOnly? bool;portals? []string;chapAuthDiscovery? bool;secretRef? *SecretReference;chapAuthSession? bool;initiatorName? *string
ISCSIVolumeSource targetPortal string;iqn string;lun int32;iscsiInterface? string;fsType? string;readOnly? bool;portals? []string;chapAuthDiscovery? bool;secretRef? *LocalObjectReference;chapAuthSession? bool;initiatorName? *string
ImageVolumeSource reference? string;pullPolicy? string
ImageVolumeStatus imageRef? string
KeyToPath key string;path string;mode? *int32
Lifecycle postStart? *LifecycleHandler;preStop? *LifecycleHandler;stopSignal? *string
LifecycleHandler exec? *ExecAction;httpGet? *HTTPGetAction;tcpSocket? *TCPSocketAction;sleep? *SleepAction
LimitRange metadata? meta/v1.ObjectMeta;spec? LimitRangeSpec
LimitRangeItem type string;max? {}$Quantity;min? {}$Quantity;default? {}$Quantity;defaultRequest? {}$Quantity;maxLimitRequestRatio? {}$Quantity
LimitRangeList metadata? meta/v1.ListMeta;items []LimitRange
LimitRangeSpec limits []LimitRangeItem
LinuxContainerUser uid int64;gid int64;supplementalGroups? []int64
List metadata? meta/v1.ListMeta;items []$RawExtension
LoadBalancerIngress ip? string;hostname? string;ipMode? *string;ports? []PortStatus
LoadBalancerStatus ingress? []LoadBalancerIngress
LocalObjectReference name? string
LocalVolumeSource path string;fsType? *string
ModifyVolumeStatus targetVolumeAttributesClassName? string;status string
NFSVolumeSource server string;path string;readOnly? bool
Namespace metadata? meta/v1.ObjectMeta;spec? NamespaceSpec;status? NamespaceStatus
NamespaceCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
NamespaceList metadata? meta/v1.ListMeta;items []Namespace
NamespaceSpec finalizers? []string
NamespaceStatus phase? string;conditions? []NamespaceCondition
Node metadata? meta/v1.ObjectMeta;spec? NodeSpec;status? NodeStatus
NodeAddress type string;address string
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution? *NodeSelector;preferredDuringSchedulingIgnoredDuringExecution? []PreferredSchedulingTerm
NodeAllocatableResourceClaimStatus resourceClaimName string;containers? []string;resources {}$Quantity
NodeCondition type string;status string;lastHeartbeatTime? $Time;lastTransitionTime? $Time;reason? string;message? string
NodeConfigSource configMap? *ConfigMapNodeConfigSource
NodeConfigStatus assigned? *NodeConfigSource;active? *NodeConfigSource;lastKnownGood? *NodeConfigSource;error? string
NodeDaemonEndpoints kubeletEndpoint? DaemonEndpoint
NodeFeatures supplementalGroupsPolicy? *bool
NodeList metadata? meta/v1.ListMeta;items []Node
NodeProxyOptions path? string
NodeRuntimeHandler name string;features? *NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts? *bool;userNamespaces? *bool
NodeSelector nodeSelectorTerms []NodeSelectorTerm
NodeSelectorRequirement key string;operator string;values? []string
NodeSelectorTerm matchExpressions? []NodeSelectorRequirement;matchFields? []NodeSelectorRequirement
NodeSpec podCIDR? string;externalID? string;providerID? string;unschedulable? bool;taints? []Taint;configSource? *NodeConfigSource;podCIDRs? []string
NodeStatus capacity? {}$Quantity;allocatable? {}$Quantity;phase? string;conditions? []NodeCondition;addresses? []NodeAddress;daemonEndpoints? NodeDaemonEndpoints;nodeInfo? NodeSystemInfo;images? []ContainerImage;volumesInUse? []string;volumesAttached? []AttachedVolume;config? *NodeConfigStatus;runtimeHandlers? []NodeRuntimeHandler;features? *NodeFeatures;declaredFeatures? []string
NodeSwapStatus capacity? *int64
NodeSystemInfo machineID string;systemUUID string;bootID string;kernelVersion string;osImage string;containerRuntimeVersion string;kubeletVersion string;kubeProxyVersion string;operatingSystem string;architecture string;swap? *NodeSwapStatus
ObjectFieldSelector apiVersion? string;fieldPath string
ObjectReference kind? string;namespace? string;name? string;uid? string;apiVersion? string;resourceVersion? string;fieldPath? string
PersistentVolume metadata? meta/v1.ObjectMeta;spec? PersistentVolumeSpec;status? PersistentVolumeStatus
PersistentVolumeClaim metadata? meta/v1.ObjectMeta;spec? PersistentVolumeClaimSpec;status? PersistentVolumeClaimStatus
PersistentVolumeClaimCondition type string;status string;lastProbeTime? $Time;lastTransitionTime? $Time;reason? string;message? string
PersistentVolumeClaimList metadata? meta/v1.ListMeta;items []PersistentVolumeClaim
PersistentVolumeClaimSpec accessModes? []string;resources? VolumeResourceRequirements;volumeName? string;selector? *meta/v1.LabelSelector;storageClassName? *string;volumeMode? *string;dataSource? *TypedLocalObjectReference;dataSourceRef? *TypedObjectReference;volumeAttributesClassName? *string
PersistentVolumeClaimStatus phase? string;accessModes? []string;capacity? {}$Quantity;conditions? []PersistentVolumeClaimCondition;allocatedResources? {}$Quantity;allocatedResourceStatuses? {}string;currentVolumeAttributesClassName? *string;modifyVolumeStatus? *ModifyVolumeStatus
PersistentVolumeClaimTemplate metadata? meta/v1.ObjectMeta;spec PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName string;readOnly? bool
PersistentVolumeList metadata? meta/v1.ListMeta;items []PersistentVolume
PersistentVolumeSource gcePersistentDisk? *GCEPersistentDiskVolumeSource;awsElasticBlockStore? *AWSElasticBlockStoreVolumeSource;hostPath? *HostPathVolumeSource;glusterfs? *GlusterfsPersistentVolumeSource;nfs? *NFSVolumeSource;rbd? *RBDPersistentVolumeSource;iscsi? *ISCSIPersistentVolumeSource;cinder? *CinderPersistentVolumeSource;cephfs? *CephFSPersistentVolumeSource;fc? *FCVolumeSource;flocker? *FlockerVolumeSource;flexVolume? *FlexPersistentVolumeSource;azureFile? *AzureFilePersistentVolumeSource;vsphereVolume? *VsphereVirtualDiskVolumeSource;quobyte? *QuobyteVolumeSource;azureDisk? *AzureDiskVolumeSource;photonPersistentDisk? *PhotonPersistentDiskVolumeSource;portworxVolume? *PortworxVolumeSource;scaleIO? *ScaleIOPersistentVolumeSource;local? *LocalVolumeSource;storageos? *StorageOSPersistentVolumeSource;csi? *CSIPersistentVolumeSource
PersistentVolumeSpec capacity? {}$Quantity; PersistentVolumeSource;accessModes? []string;claimRef? *ObjectReference;persistentVolumeReclaimPolicy? string;storageClassName? string;mountOptions? []string;volumeMode? *string;nodeAffinity? *VolumeNodeAffinity;volumeAttributesClassName? *string
PersistentVolumeStatus phase? string;message? string;reason? string;lastPhaseTransitionTime? *$Time
PhotonPersistentDiskVolumeSource pdID string;fsType? string
Pod metadata? meta/v1.ObjectMeta;spec? PodSpec;status? PodStatus
PodAffinity requiredDuringSchedulingIgnoredDuringExecution? []PodAffinityTerm;preferredDuringSchedulingIgnoredDuringExecution? []WeightedPodAffinityTerm
PodAffinityTerm labelSelector? *meta/v1.LabelSelector;namespaces? []string;topologyKey string;namespaceSelector? *meta/v1.LabelSelector;matchLabelKeys? []string;mismatchLabelKeys? []string
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution? []PodAffinityTerm;preferredDuringSchedulingIgnoredDuringExecution? []WeightedPodAffinityTerm
PodAttachOptions stdin? bool;stdout? bool;stderr? bool;tty? bool;container? string
PodCertificateProjection signerName? string;keyType? string;maxExpirationSeconds? *int32;credentialBundlePath? string;keyPath? string;certificateChainPath? string;userAnnotations? {}string
PodCondition type string;status string;lastProbeTime? $Time;lastTransitionTime? $Time;reason? string;message? string;observedGeneration? int64
PodDNSConfig nameservers? []string;searches? []string;options? []PodDNSConfigOption
PodDNSConfigOption name? string;value? *string
PodExecOptions stdin? bool;stdout? bool;stderr? bool;tty? bool;container? string;command []string
PodExtendedResourceClaimStatus requestMappings []ContainerExtendedResourceRequest;resourceClaimName string
PodIP ip string
PodList metadata? meta/v1.ListMeta;items []Pod
PodLogOptions container? string;follow? bool;previous? bool;sinceSeconds? *int64;sinceTime? *$Time;timestamps? bool;tailLines? *int64;limitBytes? *int64;insecureSkipTLSVerifyBackend? bool;stream? *string
PodOS name string
PodPortForwardOptions ports? []int32
PodProxyOptions path? string
PodReadinessGate conditionType string
PodResourceClaim name string;resourceClaimName? *string;resourceClaimTemplateName? *string
PodResourceClaimStatus name string;resourceClaimName? *string
PodSchedulingGate name string
PodSchedulingGroup podGroupName? *string
PodSecurityContext seLinuxOptions? *SELinuxOptions;runAsUser? *int64;runAsNonRoot? *bool;supplementalGroups? []int64;fsGroup? *int64;runAsGroup? *int64;sysctls? []Sysctl;windowsOptions? *WindowsSecurityContextOptions;fsGroupChangePolicy? *string;seccompProfile? *SeccompProfile;appArmorProfile? *AppArmorProfile;supplementalGroupsPolicy? *string;seLinuxChangePolicy? *string
PodSignature podController? *meta/v1.OwnerReference
PodSpec volumes? []Volume;containers []Container;restartPolicy? string;terminationGracePeriodSeconds? *int64;activeDeadlineSeconds? *int64;dnsPolicy? string;nodeSelector? {}string;serviceAccountName? string;serviceAccount? string;nodeName? string;hostNetwork? bool;hostPID? bool;hostIPC? bool;securityContext? *PodSecurityContext;imagePullSecrets? []LocalObjectReference;hostname? string;subdomain? string;affinity? *Affinity;schedulerName? string;initContainers? []Container;automountServiceAccountToken? *bool;tolerations? []Toleration;hostAliases? []HostAlias;priorityClassName? string;priority? *int32;dnsConfig? *PodDNSConfig;shareProcessNamespace? *bool;readinessGates? []PodReadinessGate;runtimeClassName? *string;enableServiceLinks? *bool;preemptionPolicy? *string;overhead? {}$Quantity;topologySpreadConstraints? []TopologySpreadConstraint;ephemeralContainers? []EphemeralContainer;setHostnameAsFQDN? *bool;os? *PodOS;hostUsers? *bool;schedulingGates? []PodSchedulingGate;resourceClaims? []PodResourceClaim;resources? *ResourceRequirements;hostnameOverride? *string;schedulingGroup? *PodSchedulingGroup
PodStatus phase? string;conditions? []PodCondition;message? string;reason? string;hostIP? string;podIP? string;startTime? *$Time;containerStatuses? []ContainerStatus;qosClass? string;initContainerStatuses? []ContainerStatus;nominatedNodeName? string;podIPs? []PodIP;ephemeralContainerStatuses? []ContainerStatus;resize? string;resourceClaimStatuses? []PodResourceClaimStatus;hostIPs? []HostIP;observedGeneration? int64;extendedResourceClaimStatus? *PodExtendedResourceClaimStatus;allocatedResources? {}$Quantity;resources? *ResourceRequirements;nodeAllocatableResourceClaimStatuses? []NodeAllocatableResourceClaimStatus
PodStatusResult metadata? meta/v1.ObjectMeta;status? PodStatus
PodTemplate metadata? meta/v1.ObjectMeta;template? PodTemplateSpec
PodTemplateList metadata? meta/v1.ListMeta;items []PodTemplate
PodTemplateSpec metadata? meta/v1.ObjectMeta;spec? PodSpec
PortStatus port int32;protocol string;error? *string
PortworxVolumeSource volumeID string;fsType? string;readOnly? bool
Preconditions uid? *string
PreferAvoidPodsEntry podSignature PodSignature;evictionTime? $Time;reason? string;message? string
PreferredSchedulingTerm weight int32;preference NodeSelectorTerm
Probe  ProbeHandler;initialDelaySeconds? int32;timeoutSeconds? int32;periodSeconds? int32;successThreshold? int32;failureThreshold? int32;terminationGracePeriodSeconds? *int64
ProbeHandler exec? *ExecAction;httpGet? *HTTPGetAction;tcpSocket? *TCPSocketAction;grpc? *GRPCAction
ProjectedVolumeSource sources []VolumeProjection;defaultMode? *int32
QuobyteVolumeSource registry string;volume string;readOnly? bool;user? string;group? string;tenant? string
RBDPersistentVolumeSource monitors []string;image string;fsType? string;pool? string;user? string;keyring? string;secretRef? *SecretReference;readOnly? bool
RBDVolumeSource monitors []string;image string;fsType? string;pool? string;user? string;keyring? string;secretRef? *LocalObjectReference;readOnly? bool
RangeAllocation metadata? meta/v1.ObjectMeta;range string;data bytes
ReplicationController metadata? meta/v1.ObjectMeta;spec? ReplicationControllerSpec;status? ReplicationControllerStatus
ReplicationControllerCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
ReplicationControllerList metadata? meta/v1.ListMeta;items []ReplicationController
ReplicationControllerSpec replicas? *int32;selector? {}string;template? *PodTemplateSpec;minReadySeconds? int32
ReplicationControllerStatus replicas int32;fullyLabeledReplicas? int32;observedGeneration? int64;readyReplicas? int32;availableReplicas? int32;conditions? []ReplicationControllerCondition
ResourceClaim name string;request? string
ResourceFieldSelector containerName? string;resource string;divisor? $Quantity
ResourceHealth resourceID string;health? string;message? *string
ResourceQuota metadata? meta/v1.ObjectMeta;spec? ResourceQuotaSpec;status? ResourceQuotaStatus
ResourceQuotaList metadata? meta/v1.ListMeta;items []ResourceQuota
ResourceQuotaSpec hard? {}$Quantity;scopes? []string;scopeSelector? *ScopeSelector
ResourceQuotaStatus hard? {}$Quantity;used? {}$Quantity
ResourceRequirements limits? {}$Quantity;requests? {}$Quantity;claims? []ResourceClaim
ResourceStatus name string;resources? []ResourceHealth
SELinuxOptions user? string;role? string;type? string;level? string
ScaleIOPersistentVolumeSource gateway string;system string;secretRef *SecretReference;sslEnabled? bool;protectionDomain? string;storagePool? string;storageMode? string;volumeName? string;fsType? string;readOnly? bool
ScaleIOVolumeSource gateway string;system string;secretRef *LocalObjectReference;sslEnabled? bool;protectionDomain? string;storagePool? string;storageMode? string;volumeName? string;fsType? string;readOnly? bool
ScopeSelector matchExpressions? []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement scopeName string;operator string;values? []string
SeccompProfile type string;localhostProfile? *string
Secret metadata? meta/v1.ObjectMeta;data? {}bytes;type? string;stringData? {}string;immutable? *bool
SecretEnvSource  LocalObjectReference;optional? *bool
SecretKeySelector  LocalObjectReference;key string;optional? *bool
SecretList metadata? meta/v1.ListMeta;items []Secret
SecretProjection  LocalObjectReference;items? []KeyToPath;optional? *bool
SecretReference name? string;namespace? string
SecretVolumeSource secretName? string;items? []KeyToPath;defaultMode? *int32;optional? *bool
SecurityContext capabilities? *Capabilities;privileged? *bool;seLinuxOptions? *SELinuxOptions;runAsUser? *int64;runAsNonRoot? *bool;readOnlyRootFilesystem? *bool;allowPrivilegeEscalation? *bool;runAsGroup? *int64;procMount? *string;windowsOptions? *WindowsSecurityContextOptions;seccompProfile? *SeccompProfile;appArmorProfile? *AppArmorProfile
SerializedReference reference? ObjectReference
Service metadata? meta/v1.ObjectMeta;spec? ServiceSpec;status? ServiceStatus
ServiceAccount metadata? meta/v1.ObjectMeta;secrets? []ObjectReference;imagePullSecrets? []LocalObjectReference;automountServiceAccountToken? *bool
ServiceAccountList metadata? meta/v1.ListMeta;items []ServiceAccount
ServiceAccountTokenProjection audience? string;expirationSeconds? *int64;path string
ServiceList metadata? meta/v1.ListMeta;items []Service
ServicePort name? string;protocol? string;port int32;targetPort? $IntOrString;nodePort? int32;appProtocol? *string
ServiceProxyOptions path? string
ServiceSpec ports? []ServicePort;selector? {}string;clusterIP? string;type? string;externalIPs? []string;sessionAffinity? string;loadBalancerIP? string;loadBalancerSourceRanges? []string;externalName? string;externalTrafficPolicy? string;healthCheckNodePort? int32;publishNotReadyAddresses? bool;sessionAffinityConfig? *SessionAffinityConfig;ipFamilyPolicy? *string;clusterIPs? []string;ipFamilies? []string;allocateLoadBalancerNodePorts? *bool;loadBalancerClass? *string;internalTrafficPolicy? *string;trafficDistribution? *string
ServiceStatus loadBalancer? LoadBalancerStatus;conditions? []meta/v1.Condition
SessionAffinityConfig clientIP? *ClientIPConfig
SleepAction seconds int64
StorageOSPersistentVolumeSource volumeName? string;volumeNamespace? string;fsType? string;readOnly? bool;secretRef? *ObjectReference
StorageOSVolumeSource volumeName? string;volumeNamespace? string;fsType? string;readOnly? bool;secretRef? *LocalObjectReference
Sysctl name string;value string
TCPSocketAction port $IntOrString;host? string
Taint key string;value? string;effect string;timeAdded? *$Time
Toleration key? string;operator? string;value? string;effect? string;tolerationSeconds? *int64
TopologySelectorLabelRequirement key string;values []string
TopologySelectorTerm matchLabelExpressions? []TopologySelectorLabelRequirement
TopologySpreadConstraint maxSkew int32;topologyKey string;whenUnsatisfiable string;labelSelector? *meta/v1.LabelSelector;minDomains? *int32;nodeAffinityPolicy? *string;nodeTaintsPolicy? *string;matchLabelKeys? []string
TypedLocalObjectReference apiGroup *string;kind string;name string
TypedObjectReference apiGroup *string;kind string;name string;namespace? *string
Volume name string; VolumeSource
VolumeDevice name string;devicePath string
VolumeMount name string;readOnly? bool;mountPath string;subPath? string;mountPropagation? *string;subPathExpr? string;recursiveReadOnly? *string
VolumeMountStatus name string;mountPath string;readOnly? bool;recursiveReadOnly? *string;volumeStatus? *VolumeStatus
VolumeNodeAffinity required? *NodeSelector
VolumeProjection secret? *SecretProjection;downwardAPI? *DownwardAPIProjection;configMap? *ConfigMapProjection;serviceAccountToken? *ServiceAccountTokenProjection;clusterTrustBundle? *ClusterTrustBundleProjection;podCertificate? *PodCertificateProjection
VolumeResourceRequirements limits? {}$Quantity;requests? {}$Quantity
VolumeSource hostPath? *HostPathVolumeSource;emptyDir? *EmptyDirVolumeSource;gcePersistentDisk? *GCEPersistentDiskVolumeSource;awsElasticBlockStore? *AWSElasticBlockStoreVolumeSource;gitRepo? *GitRepoVolumeSource;secret? *SecretVolumeSource;nfs? *NFSVolumeSource;iscsi? *ISCSIVolumeSource;glusterfs? *GlusterfsVolumeSource;persistentVolumeClaim? *PersistentVolumeClaimVolumeSource;rbd? *RBDVolumeSource;flexVolume? *FlexVolumeSource;cinder? *CinderVolumeSource;cephfs? *CephFSVolumeSource;flocker? *FlockerVolumeSource;downwardAPI? *DownwardAPIVolumeSource;fc? *FCVolumeSource;azureFile? *AzureFileVolumeSource;configMap? *ConfigMapVolumeSource;vsphereVolume? *VsphereVirtualDiskVolumeSource;quobyte? *QuobyteVolumeSource;azureDisk? *AzureDiskVolumeSource;photonPersistentDisk? *PhotonPersistentDiskVolumeSource;portworxVolume? *PortworxVolumeSource;scaleIO? *ScaleIOVolumeSource;projected? *ProjectedVolumeSource;storageos? *StorageOSVolumeSource;csi? *CSIVolumeSource;ephemeral? *EphemeralVolumeSource;image? *ImageVolumeSource
VolumeStatus image? *ImageVolumeStatus
VsphereVirtualDiskVolumeSource volumePath string;fsType? string;storagePolicyName? string;storagePolicyID? string
WeightedPodAffinityTerm weight int32;podAffinityTerm PodAffinityTerm
WindowsSecurityContextOptions gmsaCredentialSpecName? *string;gmsaCredentialSpec? *string;runAsUserName? *string;hostProcess? *bool
discovery.k8s.io/v1
Endpoint addresses []string;conditions? EndpointConditions;hostname? *string;targetRef? *core/v1.ObjectReference;deprecatedTopology? {}string;nodeName? *string;zone? *string;hints? *EndpointHints
EndpointConditions ready? *bool;serving? *bool;terminating? *bool
EndpointHints forZones? []ForZone;forNodes? []ForNode
EndpointPort name? *string;protocol? *string;port? *int32;appProtocol? *string
EndpointSlice metadata? meta/v1.ObjectMeta;endpoints []Endpoint;ports []EndpointPort;addressType string
EndpointSliceList metadata? meta/v1.ListMeta;items []EndpointSlice
ForNode name string
ForZone name string
discovery.k8s.io/v1beta1
Endpoint addresses []string;conditions? EndpointConditions;hostname? *string;targetRef? *core/v1.ObjectReference;topology? {}string;nodeName? *string;hints? *EndpointHints
EndpointConditions ready? *bool;serving? *bool;terminating? *bool
EndpointHints forZones? []ForZone;forNodes? []ForNode
EndpointPort name? *string;protocol? *string;port? *int32;appProtocol? *string
EndpointSlice metadata? meta/v1.ObjectMeta;endpoints []Endpoint;ports []EndpointPort;addressType string
EndpointSliceList metadata? meta/v1.ListMeta;items []EndpointSlice
ForNode name string
ForZone name string
events.k8s.io/v1
Event metadata meta/v1.ObjectMeta;eventTime $MicroTime;series? *EventSeries;reportingController? string;reportingInstance? string;action? string;reason? string;regarding? core/v1.ObjectReference;related? *core/v1.ObjectReference;note? string;type? string;deprecatedSource? core/v1.EventSource;deprecatedFirstTimestamp? $Time;deprecatedLastTimestamp? $Time;deprecatedCount? int32
EventList metadata? meta/v1.ListMeta;items []Event
EventSeries count int32;lastObservedTime $MicroTime
events.k8s.io/v1beta1
Event metadata meta/v1.ObjectMeta;eventTime $MicroTime;series? *EventSeries;reportingController? string;reportingInstance? string;action? string;reason? string;regarding? core/v1.ObjectReference;related? *core/v1.ObjectReference;note? string;type? string;deprecatedSource? core/v1.EventSource;deprecatedFirstTimestamp? $Time;deprecatedLastTimestamp? $Time;deprecatedCount? int32
EventList metadata? meta/v1.ListMeta;items []Event
EventSeries count int32;lastObservedTime $MicroTime
extensions/v1beta1
DaemonSet metadata? meta/v1.ObjectMeta;spec? DaemonSetSpec;status? DaemonSetStatus
DaemonSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
DaemonSetList metadata? meta/v1.ListMeta;items []DaemonSet
DaemonSetSpec selector? *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;updateStrategy? DaemonSetUpdateStrategy;minReadySeconds? int32;templateGeneration? int64;revisionHistoryLimit? *int32
DaemonSetStatus currentNumberScheduled int32;numberMisscheduled int32;desiredNumberScheduled int32;numberReady int32;observedGeneration? int64;updatedNumberScheduled? int32;numberAvailable? int32;numberUnavailable? int32;collisionCount? *int32;conditions? []DaemonSetCondition
DaemonSetUpdateStrategy type? string;rollingUpdate? *RollingUpdateDaemonSet
Deployment metadata? meta/v1.ObjectMeta;spec? DeploymentSpec;status? DeploymentStatus
DeploymentCondition type string;status string;reason? string;message? string;lastUpdateTime? $Time;lastTransitionTime? $Time
DeploymentList metadata? meta/v1.ListMeta;items []Deployment
DeploymentRollback name string;updatedAnnotations? {}string;rollbackTo RollbackConfig
DeploymentSpec replicas? *int32;selector? *meta/v1.LabelSelector;template core/v1.PodTemplateSpec;strategy? DeploymentStrategy;minReadySeconds? int32;revisionHistoryLimit? *int32;paused? bool;rollbackTo? *RollbackConfig;progressDeadlineSeconds? *int32
DeploymentStatus observedGeneration? int64;replicas? int32;updatedReplicas? int32;availableReplicas? int32;unavailableReplicas? int32;conditions? []DeploymentCondition;readyReplicas? int32;collisionCount? *int32;terminatingReplicas? *int32
DeploymentStrategy type? string;rollingUpdate? *RollingUpdateDeployment
HTTPIngressPath path? string;backend IngressBackend;pathType? *string
HTTPIngressRuleValue paths []HTTPIngressPath
IPBlock cidr string;except? []string
Ingress metadata? meta/v1.ObjectMeta;spec? IngressSpec;status? IngressStatus
IngressBackend serviceName? string;servicePort? $IntOrString;resource? *core/v1.TypedLocalObjectReference
IngressList metadata? meta/v1.ListMeta;items []Ingress
IngressLoadBalancerIngress ip? string;hostname? string;ports? []IngressPortStatus
IngressLoadBalancerStatus ingress? []IngressLoadBalancerIngress
IngressPortStatus port int32;protocol string;error? *string
IngressRule host? string; IngressRuleValue
IngressRuleValue http? *HTTPIngressRuleValue
IngressSpec backend? *IngressBackend;tls? []IngressTLS;rules? []IngressRule;ingressClassName? *string
IngressStatus loadBalancer? IngressLoadBalancerStatus
IngressTLS hosts? []string;secretName? string
NetworkPolicy metadata? meta/v1.ObjectMeta;spec? NetworkPolicySpec
NetworkPolicyEgressRule ports? []NetworkPolicyPort;to? []NetworkPolicyPeer
NetworkPolicyIngressRule ports? []NetworkPolicyPort;from? []NetworkPolicyPeer
NetworkPolicyList metadata? meta/v1.ListMeta;items []NetworkPolicy
NetworkPolicyPeer podSelector? *meta/v1.LabelSelector;namespaceSelector? *meta/v1.LabelSelector;ipBlock? *IPBlock
NetworkPolicyPort protocol? *string;port? *$IntOrString;endPort? *int32
NetworkPolicySpec podSelector meta/v1.LabelSelector;ingress? []NetworkPolicyIngressRule;egress? []NetworkPolicyEgressRule;policyTypes? []string
ReplicaSet metadata? meta/v1.ObjectMeta;spec? ReplicaSetSpec;status? ReplicaSetStatus
ReplicaSetCondition type string;status string;lastTransitionTime? $Time;reason? string;message? string
ReplicaSetList metadata? meta/v1.ListMeta;items []ReplicaSet
ReplicaSetSpec replicas? *int32;selector? *meta/v1.LabelSelector;template? core/v1.PodTemplateSpec;minReadySeconds? int32
ReplicaSetStatus replicas int32;fullyLabeledReplicas? int32;observedGeneration? int64;readyReplicas? int32;availableReplicas? int32;conditions? []ReplicaSetCondition;terminatingReplicas? *int32
RollbackConfig revision? int64
RollingUpdateDaemonSet maxUnavailable? *$IntOrString;maxSurge? *$IntOrString
RollingUpdateDeployment maxUnavailable? *$IntOrString;maxSurge? *$IntOrString
Scale metadata? meta/v1.ObjectMeta;spec? ScaleSpec;status? ScaleStatus
ScaleSpec replicas? int32
ScaleStatus replicas int32;selector? {}string;targetSelector? string
flowcontrol.apiserver.k8s.io/v1
ExemptPriorityLevelConfiguration nominalConcurrencyShares? *int32;lendablePercent? *int32
FlowDistinguisherMethod type string
FlowSchema metadata? meta/v1.ObjectMeta;spec? FlowSchemaSpec;status? FlowSchemaStatus
FlowSchemaCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
FlowSchemaList metadata? meta/v1.ListMeta;items []FlowSchema
FlowSchemaSpec priorityLevelConfiguration PriorityLevelConfigurationReference;matchingPrecedence int32;distinguisherMethod? *FlowDistinguisherMethod;rules? []PolicyRulesWithSubjects
FlowSchemaStatus conditions? []FlowSchemaCondition
GroupSubject name string
LimitResponse type string;queuing? *QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares *int32;limitResponse? LimitResponse;lendablePercent? *int32;borrowingLimitPercent? *int32
NonResourcePolicyRule verbs []string;nonResourceURLs []string
PolicyRulesWithSubjects subjects []Subject;resourceRules? []ResourcePolicyRule;nonResourceRules? []NonResourcePolicyRule
PriorityLevelConfiguration metadata? meta/v1.ObjectMeta;spec? PriorityLevelConfigurationSpec;status? PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
PriorityLevelConfigurationList metadata? meta/v1.ListMeta;items []PriorityLevelConfiguration
PriorityLevelConfigurationReference name string
PriorityLevelConfigurationSpec type string;limited? *LimitedPriorityLevelConfiguration;exempt? *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions? []PriorityLevelConfigurationCondition
QueuingConfiguration queues int32;handSize int32;queueLengthLimit int32
ResourcePolicyRule verbs []string;apiGroups []string;resources []string;clusterScope? bool;namespaces []string
ServiceAccountSubject namespace string;name string
Subject kind string;user? *UserSubject;group? *GroupSubject;serviceAccount? *ServiceAccountSubject
UserSubject name string
flowcontrol.apiserver.k8s.io/v1beta1
ExemptPriorityLevelConfiguration nominalConcurrencyShares? *int32;lendablePercent? *int32
FlowDistinguisherMethod type string
FlowSchema metadata? meta/v1.ObjectMeta;spec? FlowSchemaSpec;status? FlowSchemaStatus
FlowSchemaCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
FlowSchemaList metadata? meta/v1.ListMeta;items []FlowSchema
FlowSchemaSpec priorityLevelConfiguration PriorityLevelConfigurationReference;matchingPrecedence int32;distinguisherMethod? *FlowDistinguisherMethod;rules? []PolicyRulesWithSubjects
FlowSchemaStatus conditions? []FlowSchemaCondition
GroupSubject name string
LimitResponse type string;queuing? *QueuingConfiguration
LimitedPriorityLevelConfiguration assuredConcurrencyShares int32;limitResponse? LimitResponse;lendablePercent? *int32;borrowingLimitPercent? *int32
NonResourcePolicyRule verbs []string;nonResourceURLs []string
PolicyRulesWithSubjects subjects []Subject;resourceRules? []ResourcePolicyRule;nonResourceRules? []NonResourcePolicyRule
PriorityLevelConfiguration metadata? meta/v1.ObjectMeta;spec? PriorityLevelConfigurationSpec;status? PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
PriorityLevelConfigurationList metadata? meta/v1.ListMeta;items []PriorityLevelConfiguration
PriorityLevelConfigurationReference name string
PriorityLevelConfigurationSpec type string;limited? *LimitedPriorityLevelConfiguration;exempt? *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions? []PriorityLevelConfigurationCondition
QueuingConfiguration queues int32;handSize int32;queueLengthLimit int32
ResourcePolicyRule verbs []string;apiGroups []string;resources []string;clusterScope? bool;namespaces []string
ServiceAccountSubject namespace string;name string
Subject kind string;user? *UserSubject;group? *GroupSubject;serviceAccount? *ServiceAccountSubject
UserSubject name string
flowcontrol.apiserver.k8s.io/v1beta2
ExemptPriorityLevelConfiguration nominalConcurrencyShares? *int32;lendablePercent? *int32
FlowDistinguisherMethod type string
FlowSchema metadata? meta/v1.ObjectMeta;spec? FlowSchemaSpec;status? FlowSchemaStatus
FlowSchemaCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
FlowSchemaList metadata? meta/v1.ListMeta;items []FlowSchema
FlowSchemaSpec priorityLevelConfiguration PriorityLevelConfigurationReference;matchingPrecedence int32;distinguisherMethod? *FlowDistinguisherMethod;rules? []PolicyRulesWithSubjects
FlowSchemaStatus conditions? []FlowSchemaCondition
GroupSubject name string
LimitResponse type string;queuing? *QueuingConfiguration
LimitedPriorityLevelConfiguration assuredConcurrencyShares int32;limitResponse? LimitResponse;lendablePercent? *int32;borrowingLimitPercent? *int32
NonResourcePolicyRule verbs []string;nonResourceURLs []string
PolicyRulesWithSubjects subjects []Subject;resourceRules? []ResourcePolicyRule;nonResourceRules? []NonResourcePolicyRule
PriorityLevelConfiguration metadata? meta/v1.ObjectMeta;spec? PriorityLevelConfigurationSpec;status? PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
PriorityLevelConfigurationList metadata? meta/v1.ListMeta;items []PriorityLevelConfiguration
PriorityLevelConfigurationReference name string
PriorityLevelConfigurationSpec type string;limited? *LimitedPriorityLevelConfiguration;exempt? *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions? []PriorityLevelConfigurationCondition
QueuingConfiguration queues int32;handSize int32;queueLengthLimit int32
ResourcePolicyRule verbs []string;apiGroups []string;resources []string;clusterScope? bool;namespaces []string
ServiceAccountSubject namespace string;name string
Subject kind string;user? *UserSubject;group? *GroupSubject;serviceAccount? *ServiceAccountSubject
UserSubject name string
flowcontrol.apiserver.k8s.io/v1beta3
ExemptPriorityLevelConfiguration nominalConcurrencyShares? *int32;lendablePercent? *int32
FlowDistinguisherMethod type string
FlowSchema metadata? meta/v1.ObjectMeta;spec? FlowSchemaSpec;status? FlowSchemaStatus
FlowSchemaCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
FlowSchemaList metadata? meta/v1.ListMeta;items []FlowSchema
FlowSchemaSpec priorityLevelConfiguration PriorityLevelConfigurationReference;matchingPrecedence int32;distinguisherMethod? *FlowDistinguisherMethod;rules? []PolicyRulesWithSubjects
FlowSchemaStatus conditions? []FlowSchemaCondition
GroupSubject name string
LimitResponse type string;queuing? *QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares int32;limitResponse? LimitResponse;lendablePercent? *int32;borrowingLimitPercent? *int32
NonResourcePolicyRule verbs []string;nonResourceURLs []string
PolicyRulesWithSubjects subjects []Subject;resourceRules? []ResourcePolicyRule;nonResourceRules? []NonResourcePolicyRule
PriorityLevelConfiguration metadata? meta/v1.ObjectMeta;spec? PriorityLevelConfigurationSpec;status? PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type? string;status? string;lastTransitionTime? $Time;reason? string;message? string
PriorityLevelConfigurationList metadata? meta/v1.ListMeta;items []PriorityLevelConfiguration
PriorityLevelConfigurationReference name string
PriorityLevelConfigurationSpec type string;limited? *LimitedPriorityLevelConfiguration;exempt? *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions? []PriorityLevelConfigurationCondition
QueuingConfiguration queues int32;handSize int32;queueLengthLimit int32
ResourcePolicyRule verbs []string;apiGroups []string;resources []string;clusterScope? bool;namespaces []string
ServiceAccountSubject namespace string;name string
Subject kind string;user? *UserSubject;group? *GroupSubject;serviceAccount? *ServiceAccountSubject
UserSubject name string
imagepolicy.k8s.io/v1alpha1
ImageReview metadata? meta/v1.ObjectMeta;spec ImageReviewSpec;status? ImageReviewStatus
ImageReviewContainerSpec image? string
ImageReviewSpec containers? []ImageReviewContainerSpec;annotations? {}string;namespace? string
ImageReviewStatus allowed bool;reason? string;auditAnnotations? {}string
internal.apiserver.k8s.io/v1alpha1
ServerStorageVersion apiServerID? string;encodingVersion? string;decodableVersions? []string;servedVersions? []string
StorageVersion metadata? meta/v1.ObjectMeta;spec StorageVersionSpec;status StorageVersionStatus
StorageVersionCondition type string;status string;observedGeneration? int64;lastTransitionTime? $Time;reason string;message? string
StorageVersionList metadata? meta/v1.ListMeta;items []StorageVersion
StorageVersionSpec
StorageVersionStatus storageVersions? []ServerStorageVersion;commonEncodingVersion? *string;conditions? []StorageVersionCondition
meta/v1
APIGroup name string;versions []GroupVersionForDiscovery;preferredVersion? GroupVersionForDiscovery;serverAddressByClientCIDRs? []ServerAddressByClientCIDR
APIGroupList groups []APIGroup
APIResource name string;namespaced bool;kind string;verbs *Verbs;shortNames? []string;singularName string;categories? []string;group? string;version? string;storageVersionHash? string
APIResourceList groupVersion string;resources []APIResource
APIVersions versions []string;serverAddressByClientCIDRs []ServerAddressByClientCIDR
ApplyOptions dryRun? []string;force bool;fieldManager string
Condition type string;status string;observedGeneration? int64;lastTransitionTime $Time;reason string;message string
CreateOptions dryRun? []string;fieldManager? string;fieldValidation? string
DeleteOptions gracePeriodSeconds? *int64;preconditions? *Preconditions;orphanDependents? *bool;propagationPolicy? *string;dryRun? []string;ignoreStoreReadErrorWithClusterBreakingPotential? *bool
FieldSelectorRequirement key string;operator string;values? []string
GetOptions resourceVersion? string
GroupKind group string;kind string
GroupResource group string;resource string
GroupVersionForDiscovery groupVersion string;version string
GroupVersionKind group string;version string;kind string
GroupVersionResource group string;version string;resource string
LabelSelector matchLabels? {}string;matchExpressions? []LabelSelectorRequirement
LabelSelectorRequirement key string;operator string;values? []string
List metadata? ListMeta;items []$RawExtension
ListMeta selfLink? string;resourceVersion? string;continue? string;remainingItemCount? *int64;shardInfo? *ShardInfo
ListOptions labelSelector? string;fieldSelector? string;watch? bool;resourceVersion? string;timeoutSeconds? *int64;limit? int64;continue? string;allowWatchBookmarks? bool;resourceVersionMatch? string;sendInitialEvents? *bool;shardSelector? string
ManagedFieldsEntry manager? string;operation? string;apiVersion? string;time? *$Time;fieldsType? string;fieldsV1? *$FieldsV1;subresource? string
ObjectMeta name? string;generateName? string;namespace? string;selfLink? string;uid? string;resourceVersion? string;generation? int64;creationTimestamp?? $Time;deletionTimestamp? *$Time;deletionGracePeriodSeconds? *int64;labels? {}string;annotations? {}string;ownerReferences? []OwnerReference;finalizers? []string;managedFields? []ManagedFieldsEntry
OwnerReference kind string;name string;uid string;apiVersion string;controller? *bool;blockOwnerDeletion? *bool
PartialObjectMetadata metadata? ObjectMeta
PartialObjectMetadataList metadata? ListMeta;items []PartialObjectMetadata
Patch
PatchOptions dryRun? []string;force? *bool;fieldManager? string;fieldValidation? string
Preconditions uid? *string;resourceVersion? *string
RootPaths paths []string
ServerAddressByClientCIDR clientCIDR string;serverAddress string
ShardInfo selector string
Status metadata? ListMeta;status? string;message? string;reason? string;details? *StatusDetails;code? int32
StatusCause reason? string;message? string;field? string
StatusDetails name? string;group? string;kind? string;causes? []StatusCause;retryAfterSeconds? int32;uid? string
TableOptions includeObject? string
Timestamp seconds int64;nanos int32
TypeMeta kind? string;apiVersion? string
UpdateOptions dryRun? []string;fieldManager? string;fieldValidation? string
Verbs[] items []string
WatchEvent type string;object $RawExtension
meta/v1beta1
PartialObjectMetadataList items []meta/v1.PartialObjectMetadata;metadata? meta/v1.ListMeta
networking.k8s.io/v1
HTTPIngressPath path? string;backend IngressBackend;pathType *string
HTTPIngressRuleValue paths []HTTPIngressPath
IPAddress metadata? meta/v1.ObjectMeta;spec? IPAddressSpec
IPAddressList metadata? meta/v1.ListMeta;items []IPAddress
IPAddressSpec parentRef? *ParentReference
IPBlock cidr string;except? []string
Ingress metadata? meta/v1.ObjectMeta;spec? IngressSpec;status? IngressStatus
IngressBackend resource? *core/v1.TypedLocalObjectReference;service? *IngressServiceBackend
IngressClass metadata? meta/v1.ObjectMeta;spec? IngressClassSpec
IngressClassList metadata? meta/v1.ListMeta;items []IngressClass
IngressClassParametersReference apiGroup? *string;kind string;name string;scope *string;namespace? *string
IngressClassSpec controller? string;parameters? *IngressClassParametersReference
IngressList metadata? meta/v1.ListMeta;items []Ingress
IngressLoadBalancerIngress ip? string;hostname? string;ports? []IngressPortStatus
IngressLoadBalancerStatus ingress? []IngressLoadBalancerIngress
IngressPortStatus port int32;protocol string;error? *string
IngressRule host? string; IngressRuleValue
IngressRuleValue http? *HTTPIngressRuleValue
IngressServiceBackend name string;port? ServiceBackendPort
IngressSpec defaultBackend? *IngressBackend;tls? []IngressTLS;rules? []IngressRule;ingressClassName? *string
IngressStatus loadBalancer? IngressLoadBalancerStatus
IngressTLS hosts? []string;secretName? string
NetworkPolicy metadata? meta/v1.ObjectMeta;spec? NetworkPolicySpec
NetworkPolicyEgressRule ports? []NetworkPolicyPort;to? []NetworkPolicyPeer
NetworkPolicyIngressRule ports? []NetworkPolicyPort;from? []NetworkPolicyPeer
NetworkPolicyList metadata? meta/v1.ListMeta;items []NetworkPolicy
NetworkPolicyPeer podSelector? *meta/v1.LabelSelector;namespaceSelector? *meta/v1.LabelSelector;ipBlock? *IPBlock
NetworkPolicyPort protocol? *string;port? *$IntOrString;endPort? *int32
NetworkPolicySpec podSelector meta/v1.LabelSelector;ingress? []NetworkPolicyIngressRule;egress? []NetworkPolicyEgressRule;policyTypes? []string
ParentReference group? string;resource? string;namespace? string;name? string
ServiceBackendPort name? string;number? int32
ServiceCIDR metadata? meta/v1.ObjectMeta;spec? ServiceCIDRSpec;status? ServiceCIDRStatus
ServiceCIDRList metadata? meta/v1.ListMeta;items []ServiceCIDR
ServiceCIDRSpec cidrs? []string
ServiceCIDRStatus conditions? []meta/v1.Condition
networking.k8s.io/v1beta1
HTTPIngressPath path? string;backend IngressBackend;pathType? *string
HTTPIngressRuleValue paths []HTTPIngressPath
IPAddress metadata? meta/v1.ObjectMeta;spec? IPAddressSpec
IPAddressList metadata? meta/v1.ListMeta;items []IPAddress
IPAddressSpec parentRef? *ParentReference
Ingress metadata? meta/v1.ObjectMeta;spec? IngressSpec;status? IngressStatus
IngressBackend serviceName? string;servicePort? $IntOrString;resource? *core/v1.TypedLocalObjectReference
IngressClass metadata? meta/v1.ObjectMeta;spec? IngressClassSpec
IngressClassList metadata? meta/v1.ListMeta;items []IngressClass
IngressClassParametersReference apiGroup? *string;kind string;name string;scope *string;namespace? *string
IngressClassSpec controller? string;parameters? *IngressClassParametersReference
IngressList metadata? meta/v1.ListMeta;items []Ingress
IngressLoadBalancerIngress ip? string;hostname? string;ports? []IngressPortStatus
IngressLoadBalancerStatus ingress? []IngressLoadBalancerIngress
IngressPortStatus port int32;protocol string;error? *string
IngressRule host? string; IngressRuleValue
IngressRuleValue http? *HTTPIngressRuleValue
IngressSpec backend? *IngressBackend;tls? []IngressTLS;rules? []IngressRule;ingressClassName? *string
IngressStatus loadBalancer? IngressLoadBalancerStatus
IngressTLS hosts? []string;secretName? string
ParentReference group? string;resource? string;namespace? string;name? string
ServiceCIDR metadata? meta/v1.ObjectMeta;spec? ServiceCIDRSpec;status? ServiceCIDRStatus
ServiceCIDRList metadata? meta/v1.ListMeta;items []ServiceCIDR
ServiceCIDRSpec cidrs? []string
ServiceCIDRStatus conditions? []meta/v1.Condition
node.k8s.io/v1
Overhead podFixed? {}$Quantity
RuntimeClass metadata? meta/v1.ObjectMeta;handler string;overhead? *Overhead;scheduling? *Scheduling
RuntimeClassList metadata? meta/v1.ListMeta;items []RuntimeClass
Scheduling nodeSelector? {}string;tolerations? []core/v1.Toleration
node.k8s.io/v1alpha1
Overhead podFixed? {}$Quantity
RuntimeClass metadata? meta/v1.ObjectMeta;spec RuntimeClassSpec
RuntimeClassList metadata? meta/v1.ListMeta;items []RuntimeClass
RuntimeClassSpec runtimeHandler string;overhead? *Overhead;scheduling? *Scheduling
Scheduling nodeSelector? {}string;tolerations? []core/v1.Toleration
node.k8s.io/v1beta1
Overhead podFixed? {}$Quantity
RuntimeClass metadata? meta/v1.ObjectMeta;handler string;overhead? *Overhead;scheduling? *Scheduling
RuntimeClassList metadata? meta/v1.ListMeta;items []RuntimeClass
Scheduling nodeSelector? {}string;tolerations? []core/v1.Toleration
policy/v1
Eviction metadata? meta/v1.ObjectMeta;deleteOptions? *meta/v1.DeleteOptions
PodDisruptionBudget metadata? meta/v1.ObjectMeta;spec? PodDisruptionBudgetSpec;status? PodDisruptionBudgetStatus
PodDisruptionBudgetList metadata? meta/v1.ListMeta;items []PodDisruptionBudget
PodDisruptionBudgetSpec minAvailable? *$IntOrString;selector? *meta/v1.LabelSelector;maxUnavailable? *$IntOrString;unhealthyPodEvictionPolicy? *string
PodDisruptionBudgetStatus observedGeneration? int64;disruptedPods? {}$Time;disruptionsAllowed int32;currentHealthy int32;desiredHealthy int32;expectedPods int32;conditions? []meta/v1.Condition
policy/v1beta1
Eviction metadata? meta/v1.ObjectMeta;deleteOptions? *meta/v1.DeleteOptions
PodDisruptionBudget metadata? meta/v1.ObjectMeta;spec? PodDisruptionBudgetSpec;status? PodDisruptionBudgetStatus
PodDisruptionBudgetList metadata? meta/v1.ListMeta;items []PodDisruptionBudget
PodDisruptionBudgetSpec minAvailable? *$IntOrString;selector? *meta/v1.LabelSelector;maxUnavailable? *$IntOrString;unhealthyPodEvictionPolicy? *string
PodDisruptionBudgetStatus observedGeneration? int64;disruptedPods? {}$Time;disruptionsAllowed int32;currentHealthy int32;desiredHealthy int32;expectedPods int32;conditions? []meta/v1.Condition
rbac.authorization.k8s.io/v1
AggregationRule clusterRoleSelectors? []meta/v1.LabelSelector
ClusterRole metadata? meta/v1.ObjectMeta;rules []PolicyRule;aggregationRule? *AggregationRule
ClusterRoleBinding metadata? meta/v1.ObjectMeta;subjects? []Subject;roleRef RoleRef
ClusterRoleBindingList metadata? meta/v1.ListMeta;items []ClusterRoleBinding
ClusterRoleList metadata? meta/v1.ListMeta;items []ClusterRole
PolicyRule verbs []string;apiGroups? []string;resources? []string;resourceNames? []string;nonResourceURLs? []string
Role metadata? meta/v1.ObjectMeta;rules []PolicyRule
RoleBinding metadata? meta/v1.ObjectMeta;subjects? []Subject;roleRef RoleRef
RoleBindingList metadata? meta/v1.ListMeta;items []RoleBinding
RoleList metadata? meta/v1.ListMeta;items []Role
RoleRef apiGroup string;kind string;name string
Subject kind string;apiGroup? string;name string;namespace? string
rbac.authorization.k8s.io/v1alpha1
AggregationRule clusterRoleSelectors? []meta/v1.LabelSelector
ClusterRole metadata? meta/v1.ObjectMeta;rules []PolicyRule;aggregationRule? *AggregationRule
ClusterRoleBinding metadata? meta/v1.ObjectMeta;subjects? []Subject;roleRef RoleRef
ClusterRoleBindingList metadata? meta/v1.ListMeta;items []ClusterRoleBinding
ClusterRoleList metadata? meta/v1.ListMeta;items []ClusterRole
PolicyRule verbs []string;apiGroups? []string;resources? []string;resourceNames? []string;nonResourceURLs? []string
Role metadata? meta/v1.ObjectMeta;rules []PolicyRule
RoleBinding metadata? meta/v1.ObjectMeta;subjects? []Subject;roleRef RoleRef
RoleBindingList metadata? meta/v1.ListMeta;items []RoleBinding
RoleList metadata? meta/v1.ListMeta;items []Role
RoleRef apiGroup string;kind string;name string
Subject kind string;apiVersion? string;name string;namespace? string
rbac.authorization.k8s.io/v1beta1
AggregationRule clusterRoleSelectors? []meta/v1.LabelSelector
ClusterRole metadata? meta/v1.ObjectMeta;rules []PolicyRule;aggregationRule? *AggregationRule
ClusterRoleBinding metadata? meta/v1.ObjectMeta;subjects? []Subject;roleRef RoleRef
ClusterRoleBindingList metadata? meta/v1.ListMeta;items []ClusterRoleBinding
ClusterRoleList metadata? meta/v1.ListMeta;items []ClusterRole
PolicyRule verbs []string;apiGroups? []string;resources? []string;resourceNames? []string;nonResourceURLs? []string
Role metadata? meta/v1.ObjectMeta;rules []PolicyRule
RoleBinding metadata? meta/v1.ObjectMeta;subjects? []Subject;roleRef RoleRef
RoleBindingList metadata? meta/v1.ListMeta;items []RoleBinding
RoleList metadata? meta/v1.ListMeta;items []Role
RoleRef apiGroup string;kind string;name string
Subject kind string;apiGroup? string;name string;namespace? string
resource.k8s.io/v1
AllocatedDeviceStatus driver string;pool string;device string;conditions []meta/v1.Condition;data? *$RawExtension;networkData? *NetworkDeviceData;shareID? *string
AllocationResult devices? DeviceAllocationResult;nodeSelector? *core/v1.NodeSelector;allocationTimestamp? *$Time
CELDeviceSelector expression string
CapacityRequestPolicy default *$Quantity;validValues? []$Quantity;validRange? *CapacityRequestPolicyRange
CapacityRequestPolicyRange min? *$Quantity;max? *$Quantity;step? *$Quantity
CapacityRequirements requests? {}$Quantity
Counter value $Quantity
CounterSet name string;counters? {}Counter
Device name string;attributes? {}DeviceAttribute;capacity? {}DeviceCapacity;consumesCounters? []DeviceCounterConsumption;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;taints? []DeviceTaint;bindsToNode? *bool;bindingConditions? []string;bindingFailureConditions? []string;allowMultipleAllocations? *bool;nodeAllocatableResourceMappings? {}NodeAllocatableResourceMapping
DeviceAllocationConfiguration source string;requests? []string; DeviceConfiguration
DeviceAllocationResult results? []DeviceRequestAllocationResult;config? []DeviceAllocationConfiguration
DeviceAttribute int? *int64;bool? *bool;string? *string;version? *string;ints? []int64;bools? []bool;strings? []string;versions? []string
DeviceCapacity value $Quantity;requestPolicy? *CapacityRequestPolicy
DeviceClaim requests []DeviceRequest;constraints? []DeviceConstraint;config? []DeviceClaimConfiguration
DeviceClaimConfiguration requests? []string; DeviceConfiguration
DeviceClass metadata? meta/v1.ObjectMeta;spec DeviceClassSpec
DeviceClassConfiguration  DeviceConfiguration
DeviceClassList metadata? meta/v1.ListMeta;items []DeviceClass
DeviceClassSpec selectors? []DeviceSelector;config? []DeviceClassConfiguration;extendedResourceName? *string
DeviceConfiguration opaque? *OpaqueDeviceConfiguration
DeviceConstraint requests? []string;matchAttribute? *string;distinctAttribute? *string
DeviceCounterConsumption counterSet string;counters? {}Counter
DeviceRequest name string;exactly? *ExactDeviceRequest;firstAvailable? []DeviceSubRequest
DeviceRequestAllocationResult request string;driver string;pool string;device string;adminAccess? *bool;tolerations? []DeviceToleration;bindingConditions? []string;bindingFailureConditions? []string;shareID? *string;consumedCapacity? {}$Quantity
DeviceSelector cel? *CELDeviceSelector
DeviceSubRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;tolerations? []DeviceToleration;capacity? *CapacityRequirements
DeviceTaint key string;value? string;effect string;timeAdded? *$Time
DeviceToleration key? string;operator? string;value? string;effect? string;tolerationSeconds? *int64
ExactDeviceRequest deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;adminAccess? *bool;tolerations? []DeviceToleration;capacity? *CapacityRequirements
NetworkDeviceData interfaceName? string;ips? []string;hardwareAddress? string
NodeAllocatableResourceMapping capacityKey? *string;allocationMultiplier? *$Quantity
OpaqueDeviceConfiguration driver string;parameters $RawExtension
ResourceClaim metadata? meta/v1.ObjectMeta;spec ResourceClaimSpec;status? ResourceClaimStatus
ResourceClaimConsumerReference apiGroup? string;resource string;name string;uid string
ResourceClaimList metadata? meta/v1.ListMeta;items []ResourceClaim
ResourceClaimSpec devices DeviceClaim
ResourceClaimStatus allocation? *AllocationResult;reservedFor? []ResourceClaimConsumerReference;devices? []AllocatedDeviceStatus
ResourceClaimTemplate metadata? meta/v1.ObjectMeta;spec ResourceClaimTemplateSpec
ResourceClaimTemplateList metadata? meta/v1.ListMeta;items []ResourceClaimTemplate
ResourceClaimTemplateSpec metadata? meta/v1.ObjectMeta;spec ResourceClaimSpec
ResourcePool name string;generation int64;resourceSliceCount int64
ResourceSlice metadata? meta/v1.ObjectMeta;spec ResourceSliceSpec
ResourceSliceList metadata? meta/v1.ListMeta;items []ResourceSlice
ResourceSliceSpec driver string;pool ResourcePool;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;devices? []Device;perDeviceNodeSelection? *bool;sharedCounters? []CounterSet
resource.k8s.io/v1alpha3
CELDeviceSelector expression string
DeviceSelector cel? *CELDeviceSelector
DeviceTaint key string;value? string;effect string;timeAdded? *$Time
DeviceTaintRule metadata? meta/v1.ObjectMeta;spec DeviceTaintRuleSpec;status? DeviceTaintRuleStatus
DeviceTaintRuleList metadata? meta/v1.ListMeta;items []DeviceTaintRule
DeviceTaintRuleSpec deviceSelector? *DeviceTaintSelector;taint? DeviceTaint
DeviceTaintRuleStatus conditions? []meta/v1.Condition
DeviceTaintSelector driver? *string;pool? *string;device? *string
PoolStatus driver? string;poolName? string;nodeName? *string;totalDevices? *int32;allocatedDevices? *int32;availableDevices? *int32;unavailableDevices? *int32;resourceSliceCount? *int32;generation int64;validationError? *string
ResourcePoolStatusRequest metadata? meta/v1.ObjectMeta;spec ResourcePoolStatusRequestSpec;status? *ResourcePoolStatusRequestStatus
ResourcePoolStatusRequestList metadata? meta/v1.ListMeta;items []ResourcePoolStatusRequest
ResourcePoolStatusRequestSpec driver string;poolName? *string;limit? *int32
ResourcePoolStatusRequestStatus pools? []PoolStatus;conditions? []meta/v1.Condition;poolCount? *int32
resource.k8s.io/v1beta1
AllocatedDeviceStatus driver string;pool string;device string;conditions []meta/v1.Condition;data? *$RawExtension;networkData? *NetworkDeviceData;shareID? *string
AllocationResult devices? DeviceAllocationResult;nodeSelector? *core/v1.NodeSelector;allocationTimestamp? *$Time
BasicDevice attributes? {}DeviceAttribute;capacity? {}DeviceCapacity;consumesCounters? []DeviceCounterConsumption;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;taints? []DeviceTaint;bindsToNode? *bool;bindingConditions? []string;bindingFailureConditions? []string;allowMultipleAllocations? *bool;nodeAllocatableResourceMappings? {}NodeAllocatableResourceMapping
CELDeviceSelector expression string
CapacityRequestPolicy default *$Quantity;validValues? []$Quantity;validRange? *CapacityRequestPolicyRange
CapacityRequestPolicyRange min? *$Quantity;max? *$Quantity;step? *$Quantity
CapacityRequirements requests? {}$Quantity
Counter value $Quantity
CounterSet name string;counters? {}Counter
Device name string;basic? *BasicDevice
DeviceAllocationConfiguration source string;requests? []string; DeviceConfiguration
DeviceAllocationResult results? []DeviceRequestAllocationResult;config? []DeviceAllocationConfiguration
DeviceAttribute int? *int64;bool? *bool;string? *string;version? *string;ints? []int64;bools? []bool;strings? []string;versions? []string
DeviceCapacity value $Quantity;requestPolicy? *CapacityRequestPolicy
DeviceClaim requests []DeviceRequest;constraints? []DeviceConstraint;config? []DeviceClaimConfiguration
DeviceClaimConfiguration requests? []string; DeviceConfiguration
DeviceClass metadata? meta/v1.ObjectMeta;spec DeviceClassSpec
DeviceClassConfiguration  DeviceConfiguration
DeviceClassList metadata? meta/v1.ListMeta;items []DeviceClass
DeviceClassSpec selectors? []DeviceSelector;config? []DeviceClassConfiguration;extendedResourceName? *string
DeviceConfiguration opaque? *OpaqueDeviceConfiguration
DeviceConstraint requests? []string;matchAttribute? *string;distinctAttribute? *string
DeviceCounterConsumption counterSet string;counters? {}Counter
DeviceRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;adminAccess? *bool;firstAvailable? []DeviceSubRequest;tolerations? []DeviceToleration;capacity? *CapacityRequirements
DeviceRequestAllocationResult request string;driver string;pool string;device string;adminAccess? *bool;tolerations? []DeviceToleration;bindingConditions? []string;bindingFailureConditions? []string;shareID? *string;consumedCapacity? {}$Quantity
DeviceSelector cel? *CELDeviceSelector
DeviceSubRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;tolerations? []DeviceToleration;capacity? *CapacityRequirements
DeviceTaint key string;value? string;effect string;timeAdded? *$Time
DeviceToleration key? string;operator? string;value? string;effect? string;tolerationSeconds? *int64
NetworkDeviceData interfaceName? string;ips? []string;hardwareAddress? string
NodeAllocatableResourceMapping capacityKey? *string;allocationMultiplier? *$Quantity
OpaqueDeviceConfiguration driver string;parameters $RawExtension
ResourceClaim metadata? meta/v1.ObjectMeta;spec ResourceClaimSpec;status? ResourceClaimStatus
ResourceClaimConsumerReference apiGroup? string;resource string;name string;uid string
ResourceClaimList metadata? meta/v1.ListMeta;items []ResourceClaim
ResourceClaimSpec devices DeviceClaim
ResourceClaimStatus allocation? *AllocationResult;reservedFor? []ResourceClaimConsumerReference;devices? []AllocatedDeviceStatus
ResourceClaimTemplate metadata? meta/v1.ObjectMeta;spec ResourceClaimTemplateSpec
ResourceClaimTemplateList metadata? meta/v1.ListMeta;items []ResourceClaimTemplate
ResourceClaimTemplateSpec metadata? meta/v1.ObjectMeta;spec ResourceClaimSpec
ResourcePool name string;generation int64;resourceSliceCount int64
ResourceSlice metadata? meta/v1.ObjectMeta;spec ResourceSliceSpec
ResourceSliceList metadata? meta/v1.ListMeta;items []ResourceSlice
ResourceSliceSpec driver string;pool ResourcePool;nodeName? string;nodeSelector? *core/v1.NodeSelector;allNodes? bool;devices? []Device;perDeviceNodeSelection? *bool;sharedCounters? []CounterSet
resource.k8s.io/v1beta2
AllocatedDeviceStatus driver string;pool string;device string;conditions []meta/v1.Condition;data? *$RawExtension;networkData? *NetworkDeviceData;shareID? *string
AllocationResult devices? DeviceAllocationResult;nodeSelector? *core/v1.NodeSelector;allocationTimestamp? *$Time
CELDeviceSelector expression string
CapacityRequestPolicy default *$Quantity;validValues? []$Quantity;validRange? *CapacityRequestPolicyRange
CapacityRequestPolicyRange min? *$Quantity;max? *$Quantity;step? *$Quantity
CapacityRequirements requests? {}$Quantity
Counter value $Quantity
CounterSet name string;counters? {}Counter
Device name string;attributes? {}DeviceAttribute;capacity? {}DeviceCapacity;consumesCounters? []DeviceCounterConsumption;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;taints? []DeviceTaint;bindsToNode? *bool;bindingConditions? []string;bindingFailureConditions? []string;allowMultipleAllocations? *bool;nodeAllocatableResourceMappings? {}NodeAllocatableResourceMapping
DeviceAllocationConfiguration source string;requests? []string; DeviceConfiguration
DeviceAllocationResult results? []DeviceRequestAllocationResult;config? []DeviceAllocationConfiguration
DeviceAttribute int? *int64;bool? *bool;string? *string;version? *string;ints? []int64;bools? []bool;strings? []string;versions? []string
DeviceCapacity value $Quantity;requestPolicy? *CapacityRequestPolicy
DeviceClaim requests []DeviceRequest;constraints? []DeviceConstraint;config? []DeviceClaimConfiguration
DeviceClaimConfiguration requests? []string; DeviceConfiguration
DeviceClass metadata? meta/v1.ObjectMeta;spec DeviceClassSpec
DeviceClassConfiguration  DeviceConfiguration
DeviceClassList metadata? meta/v1.ListMeta;items []DeviceClass
DeviceClassSpec selectors? []DeviceSelector;config? []DeviceClassConfiguration;extendedResourceName? *string
DeviceConfiguration opaque? *OpaqueDeviceConfiguration
DeviceConstraint requests? []string;matchAttribute? *string;distinctAttribute? *string
DeviceCounterConsumption counterSet string;counters? {}Counter
DeviceRequest name string;exactly? *ExactDeviceRequest;firstAvailable? []DeviceSubRequest
DeviceRequestAllocationResult request string;driver string;pool string;device string;adminAccess? *bool;tolerations? []DeviceToleration;bindingConditions? []string;bindingFailureConditions? []string;shareID? *string;consumedCapacity? {}$Quantity
DeviceSelector cel? *CELDeviceSelector
DeviceSubRequest name string;deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;tolerations? []DeviceToleration;capacity? *CapacityRequirements
DeviceTaint key string;value? string;effect string;timeAdded? *$Time
DeviceTaintRule metadata? meta/v1.ObjectMeta;spec DeviceTaintRuleSpec;status? DeviceTaintRuleStatus
DeviceTaintRuleList metadata? meta/v1.ListMeta;items []DeviceTaintRule
DeviceTaintRuleSpec deviceSelector? *DeviceTaintSelector;taint? DeviceTaint
DeviceTaintRuleStatus conditions? []meta/v1.Condition
DeviceTaintSelector driver? *string;pool? *string;device? *string
DeviceToleration key? string;operator? string;value? string;effect? string;tolerationSeconds? *int64
ExactDeviceRequest deviceClassName string;selectors? []DeviceSelector;allocationMode? string;count? int64;adminAccess? *bool;tolerations? []DeviceToleration;capacity? *CapacityRequirements
NetworkDeviceData interfaceName? string;ips? []string;hardwareAddress? string
NodeAllocatableResourceMapping capacityKey? *string;allocationMultiplier? *$Quantity
OpaqueDeviceConfiguration driver string;parameters $RawExtension
ResourceClaim metadata? meta/v1.ObjectMeta;spec ResourceClaimSpec;status? ResourceClaimStatus
ResourceClaimConsumerReference apiGroup? string;resource string;name string;uid string
ResourceClaimList metadata? meta/v1.ListMeta;items []ResourceClaim
ResourceClaimSpec devices DeviceClaim
ResourceClaimStatus allocation? *AllocationResult;reservedFor? []ResourceClaimConsumerReference;devices? []AllocatedDeviceStatus
ResourceClaimTemplate metadata? meta/v1.ObjectMeta;spec ResourceClaimTemplateSpec
ResourceClaimTemplateList metadata? meta/v1.ListMeta;items []ResourceClaimTemplate
ResourceClaimTemplateSpec metadata? meta/v1.ObjectMeta;spec ResourceClaimSpec
ResourcePool name string;generation int64;resourceSliceCount int64
ResourceSlice metadata? meta/v1.ObjectMeta;spec ResourceSliceSpec
ResourceSliceList metadata? meta/v1.ListMeta;items []ResourceSlice
ResourceSliceSpec driver string;pool ResourcePool;nodeName? *string;nodeSelector? *core/v1.NodeSelector;allNodes? *bool;devices? []Device;perDeviceNodeSelection? *bool;sharedCounters? []CounterSet
scheduling.k8s.io/v1
PriorityClass metadata? meta/v1.ObjectMeta;value int32;globalDefault? bool;description? string;preemptionPolicy? *string
PriorityClassList metadata? meta/v1.ListMeta;items []PriorityClass
scheduling.k8s.io/v1alpha2
BasicSchedulingPolicy
GangSchedulingPolicy minCount int32
PodGroup metadata? meta/v1.ObjectMeta;spec PodGroupSpec;status? PodGroupStatus
PodGroupList metadata? meta/v1.ListMeta;items []PodGroup
PodGroupResourceClaim name string;resourceClaimName? *string;resourceClaimTemplateName? *string
PodGroupResourceClaimStatus name string;resourceClaimName? *string
PodGroupSchedulingConstraints topology? []TopologyConstraint
PodGroupSchedulingPolicy basic? *BasicSchedulingPolicy;gang? *GangSchedulingPolicy
PodGroupSpec podGroupTemplateRef *PodGroupTemplateReference;schedulingPolicy PodGroupSchedulingPolicy;schedulingConstraints? *PodGroupSchedulingConstraints;resourceClaims? []PodGroupResourceClaim;disruptionMode? *string;priorityClassName? string;priority? *int32
PodGroupStatus conditions? []meta/v1.Condition;resourceClaimStatuses? []PodGroupResourceClaimStatus
PodGroupTemplate name string;schedulingPolicy PodGroupSchedulingPolicy;schedulingConstraints *PodGroupSchedulingConstraints;resourceClaims? []PodGroupResourceClaim;disruptionMode? *string;priorityClassName? string;priority? *int32
PodGroupTemplateReference workload *WorkloadPodGroupTemplateReference
TopologyConstraint key string
TypedLocalObjectReference apiGroup? string;kind string;name string
Workload metadata? meta/v1.ObjectMeta;spec WorkloadSpec
WorkloadList metadata? meta/v1.ListMeta;items []Workload
WorkloadPodGroupTemplateReference workloadName string;podGroupTemplateName string
WorkloadSpec controllerRef? *TypedLocalObjectReference;podGroupTemplates []PodGroupTemplate
scheduling.k8s.io/v1beta1
PriorityClass metadata? meta/v1.ObjectMeta;value int32;globalDefault? bool;description? string;preemptionPolicy? *string
PriorityClassList metadata? meta/v1.ListMeta;items []PriorityClass
storage.k8s.io/v1
CSIDriver metadata? meta/v1.ObjectMeta;spec CSIDriverSpec
CSIDriverList metadata? meta/v1.ListMeta;items []CSIDriver
CSIDriverSpec attachRequired? *bool;podInfoOnMount? *bool;volumeLifecycleModes? []string;storageCapacity? *bool;fsGroupPolicy? *string;tokenRequests? []TokenRequest;requiresRepublish? *bool;seLinuxMount? *bool;nodeAllocatableUpdatePeriodSeconds? *int64;serviceAccountTokenInSecrets? *bool;preventPodSchedulingIfMissing? *bool
CSINode metadata? meta/v1.ObjectMeta;spec CSINodeSpec
CSINodeDriver name string;nodeID string;topologyKeys []string;allocatable? *VolumeNodeResources
CSINodeList metadata? meta/v1.ListMeta;items []CSINode
CSINodeSpec drivers []CSINodeDriver
CSIStorageCapacity metadata? meta/v1.ObjectMeta;nodeTopology? *meta/v1.LabelSelector;storageClassName string;capacity? *$Quantity;maximumVolumeSize? *$Quantity
CSIStorageCapacityList metadata? meta/v1.ListMeta;items []CSIStorageCapacity
StorageClass metadata? meta/v1.ObjectMeta;provisioner string;parameters? {}string;reclaimPolicy? *string;mountOptions? []string;allowVolumeExpansion? *bool;volumeBindingMode? *string;allowedTopologies? []core/v1.TopologySelectorTerm
StorageClassList metadata? meta/v1.ListMeta;items []StorageClass
TokenRequest audience string;expirationSeconds? *int64
VolumeAttachment metadata? meta/v1.ObjectMeta;spec VolumeAttachmentSpec;status? VolumeAttachmentStatus
VolumeAttachmentList metadata? meta/v1.ListMeta;items []VolumeAttachment
VolumeAttachmentSource persistentVolumeName? *string;inlineVolumeSpec? *core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher string;source VolumeAttachmentSource;nodeName string
VolumeAttachmentStatus attached bool;attachmentMetadata? {}string;attachError? *VolumeError;detachError? *VolumeError
VolumeAttributesClass metadata? meta/v1.ObjectMeta;driverName string;parameters? {}string
VolumeAttributesClassList metadata? meta/v1.ListMeta;items []VolumeAttributesClass
VolumeError time? $Time;message? string;errorCode? *int32
VolumeNodeResources count? *int32
storage.k8s.io/v1alpha1
CSIStorageCapacity metadata? meta/v1.ObjectMeta;nodeTopology? *meta/v1.LabelSelector;storageClassName string;capacity? *$Quantity;maximumVolumeSize? *$Quantity
CSIStorageCapacityList metadata? meta/v1.ListMeta;items []CSIStorageCapacity
VolumeAttachment metadata? meta/v1.ObjectMeta;spec VolumeAttachmentSpec;status? VolumeAttachmentStatus
VolumeAttachmentList metadata? meta/v1.ListMeta;items []VolumeAttachment
VolumeAttachmentSource persistentVolumeName? *string;inlineVolumeSpec? *core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher string;source VolumeAttachmentSource;nodeName string
VolumeAttachmentStatus attached bool;attachmentMetadata? {}string;attachError? *VolumeError;detachError? *VolumeError
VolumeAttributesClass metadata? meta/v1.ObjectMeta;driverName string;parameters? {}string
VolumeAttributesClassList metadata? meta/v1.ListMeta;items []VolumeAttributesClass
VolumeError time? $Time;message? string;errorCode? *int32
storage.k8s.io/v1beta1
CSIDriver metadata? meta/v1.ObjectMeta;spec CSIDriverSpec
CSIDriverList metadata? meta/v1.ListMeta;items []CSIDriver
CSIDriverSpec attachRequired? *bool;podInfoOnMount? *bool;volumeLifecycleModes? []string;storageCapacity? *bool;fsGroupPolicy? *string;tokenRequests? []TokenRequest;requiresRepublish? *bool;seLinuxMount? *bool;nodeAllocatableUpdatePeriodSeconds? *int64;serviceAccountTokenInSecrets? *bool;preventPodSchedulingIfMissing? *bool
CSINode metadata? meta/v1.ObjectMeta;spec CSINodeSpec
CSINodeDriver name string;nodeID string;topologyKeys []string;allocatable? *VolumeNodeResources
CSINodeList metadata? meta/v1.ListMeta;items []CSINode
CSINodeSpec drivers []CSINodeDriver
CSIStorageCapacity metadata? meta/v1.ObjectMeta;nodeTopology? *meta/v1.LabelSelector;storageClassName string;capacity? *$Quantity;maximumVolumeSize? *$Quantity
CSIStorageCapacityList metadata? meta/v1.ListMeta;items []CSIStorageCapacity
StorageClass metadata? meta/v1.ObjectMeta;provisioner string;parameters? {}string;reclaimPolicy? *string;mountOptions? []string;allowVolumeExpansion? *bool;volumeBindingMode? *string;allowedTopologies? []core/v1.TopologySelectorTerm
StorageClassList metadata? meta/v1.ListMeta;items []StorageClass
TokenRequest audience string;expirationSeconds? *int64
VolumeAttachment metadata? meta/v1.ObjectMeta;spec VolumeAttachmentSpec;status? VolumeAttachmentStatus
VolumeAttachmentList metadata? meta/v1.ListMeta;items []VolumeAttachment
VolumeAttachmentSource persistentVolumeName? *string;inlineVolumeSpec? *core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher string;source VolumeAttachmentSource;nodeName string
VolumeAttachmentStatus attached bool;attachmentMetadata? {}string;attachError? *VolumeError;detachError? *VolumeError
VolumeAttributesClass metadata? meta/v1.ObjectMeta;driverName string;parameters? {}string
VolumeAttributesClassList metadata? meta/v1.ListMeta;items []VolumeAttributesClass
VolumeError time? $Time;message? string;errorCode? *int32
VolumeNodeResources count? *int32
storagemigration.k8s.io/v1beta1
StorageVersionMigration metadata? meta/v1.ObjectMeta;spec? StorageVersionMigrationSpec;status? StorageVersionMigrationStatus
StorageVersionMigrationList metadata? meta/v1.ListMeta;items []StorageVersionMigration
StorageVersionMigrationSpec resource meta/v1.GroupResource
StorageVersionMigrationStatus conditions? []meta/v1.Condition;resourceVersion? string
`;
