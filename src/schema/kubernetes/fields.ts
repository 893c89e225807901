// Written by test/envtest/fields/write.mjs from the Go types of Kubernetes, up to 1.37.1; do not edit.
// protobuf/table.ts of kgen documents the format of the lines.

export const messages: string = `
admission.k8s.io/v1
AdmissionRequest uid=1 string;kind=2 meta/v1.GroupVersionKind;resource=3 meta/v1.GroupVersionResource;subResource?=4 string;name?=5 string;namespace?=6 string;operation=7 string;userInfo=8 authentication.k8s.io/v1.UserInfo;object?=9 $RawExtension;oldObject?=10 $RawExtension;dryRun?=11 *bool;options?=12 $RawExtension;requestKind?=13 *meta/v1.GroupVersionKind;requestResource?=14 *meta/v1.GroupVersionResource;requestSubResource?=15 string
AdmissionResponse uid=1 string;allowed=2 bool;status?=3 *meta/v1.Status;patch?=4 bytes;patchType?=5 *string;auditAnnotations?=6 {}string;warnings?=7 []string
AdmissionReview request?=1 *AdmissionRequest;response?=2 *AdmissionResponse
admission.k8s.io/v1beta1
AdmissionRequest uid=1 string;kind=2 meta/v1.GroupVersionKind;resource=3 meta/v1.GroupVersionResource;subResource?=4 string;name?=5 string;namespace?=6 string;operation=7 string;userInfo=8 authentication.k8s.io/v1.UserInfo;object?=9 $RawExtension;oldObject?=10 $RawExtension;dryRun?=11 *bool;options?=12 $RawExtension;requestKind?=13 *meta/v1.GroupVersionKind;requestResource?=14 *meta/v1.GroupVersionResource;requestSubResource?=15 string
AdmissionResponse uid=1 string;allowed=2 bool;status?=3 *meta/v1.Status;patch?=4 bytes;patchType?=5 *string;auditAnnotations?=6 {}string;warnings?=7 []string
AdmissionReview request?=1 *AdmissionRequest;response?=2 *AdmissionResponse
admissionregistration.k8s.io/v1
ApplyConfiguration expression?=1 string
AuditAnnotation key=1 string;valueExpression=2 string
ExpressionWarning fieldRef=2 string;warning=3 string
JSONPatch expression?=1 string
MatchCondition name=1 string;expression=2 string
MatchResources namespaceSelector?=1 *meta/v1.LabelSelector;objectSelector?=2 *meta/v1.LabelSelector;resourceRules?=3 []NamedRuleWithOperations;excludeResourceRules?=4 []NamedRuleWithOperations;matchPolicy?=7 *string
MutatingAdmissionPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata?=1 meta/v1.ObjectMeta;spec?=2 MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList metadata?=1 meta/v1.ListMeta;items=2 []MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName?=1 string;paramRef?=2 *ParamRef;matchResources?=3 *MatchResources
MutatingAdmissionPolicyList metadata?=1 meta/v1.ListMeta;items=2 []MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind?=1 *ParamKind;matchConstraints?=2 *MatchResources;variables?=3 []Variable;mutations?=4 []Mutation;failurePolicy?=5 *string;matchConditions?=6 []MatchCondition;reinvocationPolicy?=7 string
MutatingWebhook name=1 string;clientConfig=2 WebhookClientConfig;rules?=3 []RuleWithOperations;failurePolicy?=4 *string;namespaceSelector?=5 *meta/v1.LabelSelector;sideEffects=6 *string;timeoutSeconds?=7 *int32;admissionReviewVersions=8 []string;matchPolicy?=9 *string;reinvocationPolicy?=10 *string;objectSelector?=11 *meta/v1.LabelSelector;matchConditions?=12 []MatchCondition
MutatingWebhookConfiguration metadata?=1 meta/v1.ObjectMeta;webhooks?=2 []MutatingWebhook
MutatingWebhookConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []MutatingWebhookConfiguration
Mutation patchType=2 string;applyConfiguration?=3 *ApplyConfiguration;jsonPatch?=4 *JSONPatch
NamedRuleWithOperations resourceNames?=1 []string;=2 RuleWithOperations
ParamKind apiVersion?=1 string;kind?=2 string
ParamRef name?=1 string;namespace?=2 string;selector?=3 *meta/v1.LabelSelector;parameterNotFoundAction?=4 *string
Rule apiGroups?=1 []string;apiVersions?=2 []string;resources?=3 []string;scope?=4 *string
RuleWithOperations operations?=1 []string;=2 Rule
ServiceReference namespace=1 string;name=2 string;path?=3 *string;port?=4 *int32
TypeChecking expressionWarnings?=1 []ExpressionWarning
ValidatingAdmissionPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 ValidatingAdmissionPolicySpec;status?=3 ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata?=1 meta/v1.ObjectMeta;spec?=2 ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec policyName?=1 string;paramRef?=2 *ParamRef;matchResources?=3 *MatchResources;validationActions?=4 []string
ValidatingAdmissionPolicyList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec paramKind?=1 *ParamKind;matchConstraints?=2 *MatchResources;validations?=3 []Validation;failurePolicy?=4 *string;auditAnnotations?=5 []AuditAnnotation;matchConditions?=6 []MatchCondition;variables?=7 []Variable
ValidatingAdmissionPolicyStatus observedGeneration?=1 int64;typeChecking?=2 *TypeChecking;conditions?=3 []meta/v1.Condition
ValidatingWebhook name=1 string;clientConfig=2 WebhookClientConfig;rules?=3 []RuleWithOperations;failurePolicy?=4 *string;namespaceSelector?=5 *meta/v1.LabelSelector;sideEffects=6 *string;timeoutSeconds?=7 *int32;admissionReviewVersions=8 []string;matchPolicy?=9 *string;objectSelector?=10 *meta/v1.LabelSelector;matchConditions?=11 []MatchCondition
ValidatingWebhookConfiguration metadata?=1 meta/v1.ObjectMeta;webhooks?=2 []ValidatingWebhook
ValidatingWebhookConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingWebhookConfiguration
Validation expression=1 string;message?=2 string;reason?=3 *string;messageExpression?=4 string
Variable name=1 string;expression=2 string
WebhookClientConfig service?=1 *ServiceReference;caBundle?=2 bytes;url?=3 *string
admissionregistration.k8s.io/v1alpha1
ApplyConfiguration expression?=1 string
AuditAnnotation key=1 string;valueExpression=2 string
ExpressionWarning fieldRef=2 string;warning=3 string
JSONPatch expression?=1 string
MatchCondition name=1 string;expression=2 string
MatchResources namespaceSelector?=1 *meta/v1.LabelSelector;objectSelector?=2 *meta/v1.LabelSelector;resourceRules?=3 []NamedRuleWithOperations;excludeResourceRules?=4 []NamedRuleWithOperations;matchPolicy?=7 *string
MutatingAdmissionPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata?=1 meta/v1.ObjectMeta;spec?=2 MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList metadata?=1 meta/v1.ListMeta;items=2 []MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName?=1 string;paramRef?=2 *ParamRef;matchResources?=3 *MatchResources
MutatingAdmissionPolicyList metadata?=1 meta/v1.ListMeta;items=2 []MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind?=1 *ParamKind;matchConstraints?=2 *MatchResources;variables?=3 []Variable;mutations?=4 []Mutation;failurePolicy?=5 *string;matchConditions?=6 []MatchCondition;reinvocationPolicy?=7 string
Mutation patchType=2 string;applyConfiguration?=3 *ApplyConfiguration;jsonPatch?=4 *JSONPatch
NamedRuleWithOperations resourceNames?=1 []string;=2 admissionregistration.k8s.io/v1.RuleWithOperations
ParamKind apiVersion?=1 string;kind?=2 string
ParamRef name?=1 string;namespace?=2 string;selector?=3 *meta/v1.LabelSelector;parameterNotFoundAction?=4 *string
TypeChecking expressionWarnings?=1 []ExpressionWarning
ValidatingAdmissionPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 ValidatingAdmissionPolicySpec;status?=3 ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata?=1 meta/v1.ObjectMeta;spec?=2 ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec policyName?=1 string;paramRef?=2 *ParamRef;matchResources?=3 *MatchResources;validationActions?=4 []string
ValidatingAdmissionPolicyList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec paramKind?=1 *ParamKind;matchConstraints?=2 *MatchResources;validations?=3 []Validation;failurePolicy?=4 *string;auditAnnotations?=5 []AuditAnnotation;matchConditions?=6 []MatchCondition;variables?=7 []Variable
ValidatingAdmissionPolicyStatus observedGeneration?=1 int64;typeChecking?=2 *TypeChecking;conditions?=3 []meta/v1.Condition
Validation expression=1 string;message?=2 string;reason?=3 *string;messageExpression?=4 string
Variable name=1 string;expression=2 string
admissionregistration.k8s.io/v1beta1
ApplyConfiguration expression?=1 string
AuditAnnotation key=1 string;valueExpression=2 string
ExpressionWarning fieldRef=2 string;warning=3 string
JSONPatch expression?=1 string
MatchCondition name=1 string;expression=2 string
MatchResources namespaceSelector?=1 *meta/v1.LabelSelector;objectSelector?=2 *meta/v1.LabelSelector;resourceRules?=3 []NamedRuleWithOperations;excludeResourceRules?=4 []NamedRuleWithOperations;matchPolicy?=7 *string
MutatingAdmissionPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata?=1 meta/v1.ObjectMeta;spec?=2 MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList metadata?=1 meta/v1.ListMeta;items=2 []MutatingAdmissionPolicyBinding
MutatingAdmissionPolicyBindingSpec policyName?=1 string;paramRef?=2 *ParamRef;matchResources?=3 *MatchResources
MutatingAdmissionPolicyList metadata?=1 meta/v1.ListMeta;items=2 []MutatingAdmissionPolicy
MutatingAdmissionPolicySpec paramKind?=1 *ParamKind;matchConstraints?=2 *MatchResources;variables?=3 []Variable;mutations?=4 []Mutation;failurePolicy?=5 *string;matchConditions?=6 []MatchCondition;reinvocationPolicy?=7 string
MutatingWebhook name=1 string;clientConfig=2 WebhookClientConfig;rules?=3 []admissionregistration.k8s.io/v1.RuleWithOperations;failurePolicy?=4 *string;namespaceSelector?=5 *meta/v1.LabelSelector;sideEffects?=6 *string;timeoutSeconds?=7 *int32;admissionReviewVersions?=8 []string;matchPolicy?=9 *string;reinvocationPolicy?=10 *string;objectSelector?=11 *meta/v1.LabelSelector;matchConditions?=12 []MatchCondition
MutatingWebhookConfiguration metadata?=1 meta/v1.ObjectMeta;webhooks?=2 []MutatingWebhook
MutatingWebhookConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []MutatingWebhookConfiguration
Mutation patchType=2 string;applyConfiguration?=3 *ApplyConfiguration;jsonPatch?=4 *JSONPatch
NamedRuleWithOperations resourceNames?=1 []string;=2 admissionregistration.k8s.io/v1.RuleWithOperations
ParamKind apiVersion?=1 string;kind?=2 string
ParamRef name?=1 string;namespace?=2 string;selector?=3 *meta/v1.LabelSelector;parameterNotFoundAction?=4 *string
ServiceReference namespace=1 string;name=2 string;path?=3 *string;port?=4 *int32
TypeChecking expressionWarnings?=1 []ExpressionWarning
ValidatingAdmissionPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 ValidatingAdmissionPolicySpec;status?=3 ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata?=1 meta/v1.ObjectMeta;spec?=2 ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec policyName?=1 string;paramRef?=2 *ParamRef;matchResources?=3 *MatchResources;validationActions?=4 []string
ValidatingAdmissionPolicyList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec paramKind?=1 *ParamKind;matchConstraints?=2 *MatchResources;validations?=3 []Validation;failurePolicy?=4 *string;auditAnnotations?=5 []AuditAnnotation;matchConditions?=6 []MatchCondition;variables?=7 []Variable
ValidatingAdmissionPolicyStatus observedGeneration?=1 int64;typeChecking?=2 *TypeChecking;conditions?=3 []meta/v1.Condition
ValidatingWebhook name=1 string;clientConfig=2 WebhookClientConfig;rules?=3 []admissionregistration.k8s.io/v1.RuleWithOperations;failurePolicy?=4 *string;namespaceSelector?=5 *meta/v1.LabelSelector;sideEffects?=6 *string;timeoutSeconds?=7 *int32;admissionReviewVersions?=8 []string;matchPolicy?=9 *string;objectSelector?=10 *meta/v1.LabelSelector;matchConditions?=11 []MatchCondition
ValidatingWebhookConfiguration metadata?=1 meta/v1.ObjectMeta;webhooks?=2 []ValidatingWebhook
ValidatingWebhookConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []ValidatingWebhookConfiguration
Validation expression=1 string;message?=2 string;reason?=3 *string;messageExpression?=4 string
Variable name=1 string;expression=2 string
WebhookClientConfig service?=1 *ServiceReference;caBundle?=2 bytes;url?=3 *string
apidiscovery.k8s.io/v2
APIGroupDiscovery metadata?=1 meta/v1.ObjectMeta;versions?=2 []APIVersionDiscovery
APIGroupDiscoveryList metadata?=1 meta/v1.ListMeta;items=2 []APIGroupDiscovery
APIResourceDiscovery resource=1 string;responseKind?=2 *meta/v1.GroupVersionKind;scope=3 string;singularResource=4 string;verbs=5 []string;shortNames?=6 []string;categories?=7 []string;subresources?=8 []APISubresourceDiscovery
APISubresourceDiscovery subresource=1 string;responseKind?=2 *meta/v1.GroupVersionKind;acceptedTypes?=3 []meta/v1.GroupVersionKind;verbs=4 []string
APIVersionDiscovery version=1 string;resources?=2 []APIResourceDiscovery;freshness?=3 string
apidiscovery.k8s.io/v2beta1
APIGroupDiscovery metadata?=1 meta/v1.ObjectMeta;versions?=2 []APIVersionDiscovery
APIGroupDiscoveryList metadata?=1 meta/v1.ListMeta;items=2 []APIGroupDiscovery
APIResourceDiscovery resource=1 string;responseKind?=2 *meta/v1.GroupVersionKind;scope=3 string;singularResource=4 string;verbs=5 []string;shortNames?=6 []string;categories?=7 []string;subresources?=8 []APISubresourceDiscovery
APISubresourceDiscovery subresource=1 string;responseKind?=2 *meta/v1.GroupVersionKind;acceptedTypes?=3 []meta/v1.GroupVersionKind;verbs=4 []string
APIVersionDiscovery version=1 string;resources?=2 []APIResourceDiscovery;freshness?=3 string
apiextensions.k8s.io/v1
ConversionRequest uid=1 string;desiredAPIVersion=2 string;objects=3 []$RawExtension
ConversionResponse uid=1 string;convertedObjects=2 []$RawExtension;result=3 meta/v1.Status
ConversionReview request?=1 *ConversionRequest;response?=2 *ConversionResponse
CustomResourceColumnDefinition name=1 string;type=2 string;format?=3 string;description?=4 string;priority?=5 int32;jsonPath=6 string
CustomResourceConversion strategy=1 string;webhook?=2 *WebhookConversion
CustomResourceDefinition metadata?=1 meta/v1.ObjectMeta;spec=2 CustomResourceDefinitionSpec;status?=3 CustomResourceDefinitionStatus
CustomResourceDefinitionCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string;observedGeneration?=6 int64
CustomResourceDefinitionList metadata?=1 meta/v1.ListMeta;items=2 []CustomResourceDefinition
CustomResourceDefinitionNames plural=1 string;singular?=2 string;shortNames?=3 []string;kind=4 string;listKind?=5 string;categories?=6 []string
CustomResourceDefinitionSpec group=1 string;names=3 CustomResourceDefinitionNames;scope=4 string;versions=7 []CustomResourceDefinitionVersion;conversion?=9 *CustomResourceConversion;preserveUnknownFields?=10 bool
CustomResourceDefinitionStatus conditions=1 []CustomResourceDefinitionCondition;acceptedNames=2 CustomResourceDefinitionNames;storedVersions=3 []string;observedGeneration?=4 int64
CustomResourceDefinitionVersion name=1 string;served=2 bool;storage=3 bool;schema?=4 *CustomResourceValidation;subresources?=5 *CustomResourceSubresources;additionalPrinterColumns?=6 []CustomResourceColumnDefinition;deprecated?=7 bool;deprecationWarning?=8 *string;selectableFields?=9 []SelectableField
CustomResourceSubresourceScale specReplicasPath=1 string;statusReplicasPath=2 string;labelSelectorPath?=3 *string
CustomResourceSubresourceStatus
CustomResourceSubresources status?=1 *CustomResourceSubresourceStatus;scale?=2 *CustomResourceSubresourceScale
CustomResourceValidation openAPIV3Schema?=1 *JSONSchemaProps
ExternalDocumentation description?=1 string;url?=2 string
JSONSchemaProps id?=1 string;$schema?=2 string;$ref?=3 *string;description?=4 string;type?=5 string;format?=6 string;title?=7 string;default?=8 *$JSON;maximum?=9 *double;exclusiveMaximum?=10 bool;minimum?=11 *double;exclusiveMinimum?=12 bool;maxLength?=13 *int64;minLength?=14 *int64;pattern?=15 string;maxItems?=16 *int64;minItems?=17 *int64;uniqueItems?=18 bool;multipleOf?=19 *double;enum?=20 []$JSON;maxProperties?=21 *int64;minProperties?=22 *int64;required?=23 []string;items?=24 *$JSONSchemaPropsOrArray;allOf?=25 []JSONSchemaProps;oneOf?=26 []JSONSchemaProps;anyOf?=27 []JSONSchemaProps;not?=28 *JSONSchemaProps;properties?=29 {}JSONSchemaProps;additionalProperties?=30 *$JSONSchemaPropsOrBool;patternProperties?=31 {}JSONSchemaProps;dependencies?=32 {}$JSONSchemaPropsOrStringArray;additionalItems?=33 *$JSONSchemaPropsOrBool;definitions?=34 {}JSONSchemaProps;externalDocs?=35 *ExternalDocumentation;example?=36 *$JSON;nullable?=37 bool;x-kubernetes-preserve-unknown-fields?=38 *bool;x-kubernetes-embedded-resource?=39 bool;x-kubernetes-int-or-string?=40 bool;x-kubernetes-list-map-keys?=41 []string;x-kubernetes-list-type?=42 *string;x-kubernetes-map-type?=43 *string;x-kubernetes-validations?=44 []ValidationRule
SelectableField jsonPath=1 string
ServiceReference namespace=1 string;name=2 string;path?=3 *string;port?=4 *int32
ValidationRule rule=1 string;message?=2 string;messageExpression?=3 string;reason?=4 *string;fieldPath?=5 string;optionalOldSelf?=6 *bool
WebhookClientConfig service?=1 *ServiceReference;caBundle?=2 bytes;url?=3 *string
WebhookConversion clientConfig?=2 *WebhookClientConfig;conversionReviewVersions=3 []string
apiextensions.k8s.io/v1beta1
ConversionRequest uid=1 string;desiredAPIVersion=2 string;objects=3 []$RawExtension
ConversionResponse uid=1 string;convertedObjects=2 []$RawExtension;result=3 meta/v1.Status
ConversionReview request?=1 *ConversionRequest;response?=2 *ConversionResponse
CustomResourceColumnDefinition name=1 string;type=2 string;format?=3 string;description?=4 string;priority?=5 int32;JSONPath=6 string
CustomResourceConversion strategy=1 string;webhookClientConfig?=2 *WebhookClientConfig;conversionReviewVersions?=3 []string
CustomResourceDefinition metadata?=1 meta/v1.ObjectMeta;spec=2 CustomResourceDefinitionSpec;status?=3 CustomResourceDefinitionStatus
CustomResourceDefinitionCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string;observedGeneration?=6 int64
CustomResourceDefinitionList metadata?=1 meta/v1.ListMeta;items=2 []CustomResourceDefinition
CustomResourceDefinitionNames plural=1 string;singular?=2 string;shortNames?=3 []string;kind=4 string;listKind?=5 string;categories?=6 []string
CustomResourceDefinitionSpec group=1 string;version?=2 string;names=3 CustomResourceDefinitionNames;scope=4 string;validation?=5 *CustomResourceValidation;subresources?=6 *CustomResourceSubresources;versions?=7 []CustomResourceDefinitionVersion;additionalPrinterColumns?=8 []CustomResourceColumnDefinition;conversion?=9 *CustomResourceConversion;preserveUnknownFields?=10 *bool;selectableFields?=11 []SelectableField
CustomResourceDefinitionStatus conditions=1 []CustomResourceDefinitionCondition;acceptedNames=2 CustomResourceDefinitionNames;storedVersions=3 []string;observedGeneration?=4 int64
CustomResourceDefinitionVersion name=1 string;served=2 bool;storage=3 bool;schema?=4 *CustomResourceValidation;subresources?=5 *CustomResourceSubresources;additionalPrinterColumns?=6 []CustomResourceColumnDefinition;deprecated?=7 bool;deprecationWarning?=8 *string;selectableFields?=9 []SelectableField
CustomResourceSubresourceScale specReplicasPath=1 string;statusReplicasPath=2 string;labelSelectorPath?=3 *string
CustomResourceSubresourceStatus
CustomResourceSubresources status?=1 *CustomResourceSubresourceStatus;scale?=2 *CustomResourceSubresourceScale
CustomResourceValidation openAPIV3Schema?=1 *JSONSchemaProps
ExternalDocumentation description?=1 string;url?=2 string
JSONSchemaProps id?=1 string;$schema?=2 string;$ref?=3 *string;description?=4 string;type?=5 string;format?=6 string;title?=7 string;default?=8 *$JSON;maximum?=9 *double;exclusiveMaximum?=10 bool;minimum?=11 *double;exclusiveMinimum?=12 bool;maxLength?=13 *int64;minLength?=14 *int64;pattern?=15 string;maxItems?=16 *int64;minItems?=17 *int64;uniqueItems?=18 bool;multipleOf?=19 *double;enum?=20 []$JSON;maxProperties?=21 *int64;minProperties?=22 *int64;required?=23 []string;items?=24 *$JSONSchemaPropsOrArray;allOf?=25 []JSONSchemaProps;oneOf?=26 []JSONSchemaProps;anyOf?=27 []JSONSchemaProps;not?=28 *JSONSchemaProps;properties?=29 {}JSONSchemaProps;additionalProperties?=30 *$JSONSchemaPropsOrBool;patternProperties?=31 {}JSONSchemaProps;dependencies?=32 {}$JSONSchemaPropsOrStringArray;additionalItems?=33 *$JSONSchemaPropsOrBool;definitions?=34 {}JSONSchemaProps;externalDocs?=35 *ExternalDocumentation;example?=36 *$JSON;nullable?=37 bool;x-kubernetes-preserve-unknown-fields?=38 *bool;x-kubernetes-embedded-resource?=39 bool;x-kubernetes-int-or-string?=40 bool;x-kubernetes-list-map-keys?=41 []string;x-kubernetes-list-type?=42 *string;x-kubernetes-map-type?=43 *string;x-kubernetes-validations?=44 []ValidationRule
SelectableField jsonPath=1 string
ServiceReference namespace=1 string;name=2 string;path?=3 *string;port?=4 *int32
ValidationRule rule=1 string;message?=2 string;messageExpression?=3 string;reason?=4 *string;fieldPath?=5 string;optionalOldSelf?=6 *bool
WebhookClientConfig service?=1 *ServiceReference;caBundle?=2 bytes;url?=3 *string
apiregistration.k8s.io/v1
APIService metadata?=1 meta/v1.ObjectMeta;spec?=2 APIServiceSpec;status?=3 APIServiceStatus
APIServiceCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
APIServiceList metadata?=1 meta/v1.ListMeta;items=2 []APIService
APIServiceSpec service?=1 *ServiceReference;group?=2 string;version?=3 string;insecureSkipTLSVerify?=4 bool;caBundle?=5 bytes;groupPriorityMinimum=7 int32;versionPriority=8 int32
APIServiceStatus conditions?=1 []APIServiceCondition
ServiceReference namespace?=1 string;name?=2 string;port?=3 *int32
apiregistration.k8s.io/v1beta1
APIService metadata?=1 meta/v1.ObjectMeta;spec?=2 APIServiceSpec;status?=3 APIServiceStatus
APIServiceCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
APIServiceList metadata?=1 meta/v1.ListMeta;items=2 []APIService
APIServiceSpec service?=1 *ServiceReference;group?=2 string;version?=3 string;insecureSkipTLSVerify?=4 bool;caBundle?=5 bytes;groupPriorityMinimum=7 int32;versionPriority=8 int32
APIServiceStatus conditions?=1 []APIServiceCondition
ServiceReference namespace?=1 string;name?=2 string;port?=3 *int32
apps/v1
ControllerRevision metadata?=1 meta/v1.ObjectMeta;data=2 $RawExtension;revision=3 int64
ControllerRevisionList metadata?=1 meta/v1.ListMeta;items=2 []ControllerRevision
DaemonSet metadata?=1 meta/v1.ObjectMeta;spec?=2 DaemonSetSpec;status?=3 DaemonSetStatus
DaemonSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
DaemonSetList metadata?=1 meta/v1.ListMeta;items=2 []DaemonSet
DaemonSetSpec selector=1 *meta/v1.LabelSelector;template=2 core/v1.PodTemplateSpec;updateStrategy?=3 DaemonSetUpdateStrategy;minReadySeconds?=4 int32;revisionHistoryLimit?=6 *int32
DaemonSetStatus currentNumberScheduled=1 int32;numberMisscheduled=2 int32;desiredNumberScheduled=3 int32;numberReady=4 int32;observedGeneration?=5 int64;updatedNumberScheduled?=6 int32;numberAvailable?=7 int32;numberUnavailable?=8 int32;collisionCount?=9 *int32;conditions?=10 []DaemonSetCondition
DaemonSetUpdateStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateDaemonSet
Deployment metadata?=1 meta/v1.ObjectMeta;spec?=2 DeploymentSpec;status?=3 DeploymentStatus
DeploymentCondition type=1 string;status=2 string;reason?=4 string;message?=5 string;lastUpdateTime?=6 $Time;lastTransitionTime?=7 $Time
DeploymentList metadata?=1 meta/v1.ListMeta;items=2 []Deployment
DeploymentSpec replicas?=1 *int32;selector=2 *meta/v1.LabelSelector;template=3 core/v1.PodTemplateSpec;strategy?=4 DeploymentStrategy;minReadySeconds?=5 int32;revisionHistoryLimit?=6 *int32;paused?=7 bool;progressDeadlineSeconds?=9 *int32
DeploymentStatus observedGeneration?=1 int64;replicas?=2 int32;updatedReplicas?=3 int32;availableReplicas?=4 int32;unavailableReplicas?=5 int32;conditions?=6 []DeploymentCondition;readyReplicas?=7 int32;collisionCount?=8 *int32;terminatingReplicas?=9 *int32
DeploymentStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateDeployment
ReplicaSet metadata?=1 meta/v1.ObjectMeta;spec?=2 ReplicaSetSpec;status?=3 ReplicaSetStatus
ReplicaSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
ReplicaSetList metadata?=1 meta/v1.ListMeta;items=2 []ReplicaSet
ReplicaSetSpec replicas?=1 *int32;selector=2 *meta/v1.LabelSelector;template?=3 core/v1.PodTemplateSpec;minReadySeconds?=4 int32
ReplicaSetStatus replicas=1 int32;fullyLabeledReplicas?=2 int32;observedGeneration?=3 int64;readyReplicas?=4 int32;availableReplicas?=5 int32;conditions?=6 []ReplicaSetCondition;terminatingReplicas?=7 *int32
RollingUpdateDaemonSet maxUnavailable?=1 *$IntOrString;maxSurge?=2 *$IntOrString
RollingUpdateDeployment maxUnavailable?=1 *$IntOrString;maxSurge?=2 *$IntOrString
RollingUpdateStatefulSetStrategy partition?=1 *int32;maxUnavailable?=2 *$IntOrString
StatefulSet metadata?=1 meta/v1.ObjectMeta;spec?=2 StatefulSetSpec;status?=3 StatefulSetStatus
StatefulSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
StatefulSetList metadata?=1 meta/v1.ListMeta;items=2 []StatefulSet
StatefulSetOrdinals start=1 int32
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted?=1 string;whenScaled?=2 string
StatefulSetSpec replicas?=1 *int32;selector=2 *meta/v1.LabelSelector;template=3 core/v1.PodTemplateSpec;volumeClaimTemplates?=4 []core/v1.PersistentVolumeClaim;serviceName=5 string;podManagementPolicy?=6 string;updateStrategy?=7 StatefulSetUpdateStrategy;revisionHistoryLimit?=8 *int32;minReadySeconds?=9 int32;persistentVolumeClaimRetentionPolicy?=10 *StatefulSetPersistentVolumeClaimRetentionPolicy;ordinals?=11 *StatefulSetOrdinals
StatefulSetStatus observedGeneration?=1 int64;replicas=2 int32;readyReplicas?=3 int32;currentReplicas?=4 int32;updatedReplicas?=5 int32;currentRevision?=6 string;updateRevision?=7 string;collisionCount?=9 *int32;conditions?=10 []StatefulSetCondition;availableReplicas=11 int32
StatefulSetUpdateStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateStatefulSetStrategy
apps/v1beta1
ControllerRevision metadata?=1 meta/v1.ObjectMeta;data=2 $RawExtension;revision=3 int64
ControllerRevisionList metadata?=1 meta/v1.ListMeta;items=2 []ControllerRevision
Deployment metadata?=1 meta/v1.ObjectMeta;spec?=2 DeploymentSpec;status?=3 DeploymentStatus
DeploymentCondition type=1 string;status=2 string;reason?=4 string;message?=5 string;lastUpdateTime?=6 $Time;lastTransitionTime?=7 $Time
DeploymentList metadata?=1 meta/v1.ListMeta;items=2 []Deployment
DeploymentRollback name=1 string;updatedAnnotations?=2 {}string;rollbackTo=3 RollbackConfig
DeploymentSpec replicas?=1 *int32;selector?=2 *meta/v1.LabelSelector;template=3 core/v1.PodTemplateSpec;strategy?=4 DeploymentStrategy;minReadySeconds?=5 int32;revisionHistoryLimit?=6 *int32;paused?=7 bool;rollbackTo?=8 *RollbackConfig;progressDeadlineSeconds?=9 *int32
DeploymentStatus observedGeneration?=1 int64;replicas?=2 int32;updatedReplicas?=3 int32;availableReplicas?=4 int32;unavailableReplicas?=5 int32;conditions?=6 []DeploymentCondition;readyReplicas?=7 int32;collisionCount?=8 *int32;terminatingReplicas?=9 *int32
DeploymentStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateDeployment
RollbackConfig revision?=1 int64
RollingUpdateDeployment maxUnavailable?=1 *$IntOrString;maxSurge?=2 *$IntOrString
RollingUpdateStatefulSetStrategy partition?=1 *int32;maxUnavailable?=2 *$IntOrString
Scale metadata?=1 meta/v1.ObjectMeta;spec?=2 ScaleSpec;status?=3 ScaleStatus
ScaleSpec replicas?=1 int32
ScaleStatus replicas=1 int32;selector?=2 {}string;targetSelector?=3 string
StatefulSet metadata?=1 meta/v1.ObjectMeta;spec?=2 StatefulSetSpec;status?=3 StatefulSetStatus
StatefulSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
StatefulSetList metadata?=1 meta/v1.ListMeta;items=2 []StatefulSet
StatefulSetOrdinals start=1 int32
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted?=1 string;whenScaled?=2 string
StatefulSetSpec replicas?=1 *int32;selector?=2 *meta/v1.LabelSelector;template=3 core/v1.PodTemplateSpec;volumeClaimTemplates?=4 []core/v1.PersistentVolumeClaim;serviceName=5 string;podManagementPolicy?=6 string;updateStrategy?=7 StatefulSetUpdateStrategy;revisionHistoryLimit?=8 *int32;minReadySeconds?=9 int32;persistentVolumeClaimRetentionPolicy?=10 *StatefulSetPersistentVolumeClaimRetentionPolicy;ordinals?=11 *StatefulSetOrdinals
StatefulSetStatus observedGeneration?=1 *int64;replicas=2 int32;readyReplicas?=3 int32;currentReplicas?=4 int32;updatedReplicas?=5 int32;currentRevision?=6 string;updateRevision?=7 string;collisionCount?=9 *int32;conditions?=10 []StatefulSetCondition;availableReplicas=11 int32
StatefulSetUpdateStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateStatefulSetStrategy
apps/v1beta2
ControllerRevision metadata?=1 meta/v1.ObjectMeta;data=2 $RawExtension;revision=3 int64
ControllerRevisionList metadata?=1 meta/v1.ListMeta;items=2 []ControllerRevision
DaemonSet metadata?=1 meta/v1.ObjectMeta;spec?=2 DaemonSetSpec;status?=3 DaemonSetStatus
DaemonSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
DaemonSetList metadata?=1 meta/v1.ListMeta;items=2 []DaemonSet
DaemonSetSpec selector=1 *meta/v1.LabelSelector;template=2 core/v1.PodTemplateSpec;updateStrategy?=3 DaemonSetUpdateStrategy;minReadySeconds?=4 int32;revisionHistoryLimit?=6 *int32
DaemonSetStatus currentNumberScheduled=1 int32;numberMisscheduled=2 int32;desiredNumberScheduled=3 int32;numberReady=4 int32;observedGeneration?=5 int64;updatedNumberScheduled?=6 int32;numberAvailable?=7 int32;numberUnavailable?=8 int32;collisionCount?=9 *int32;conditions?=10 []DaemonSetCondition
DaemonSetUpdateStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateDaemonSet
Deployment metadata?=1 meta/v1.ObjectMeta;spec?=2 DeploymentSpec;status?=3 DeploymentStatus
DeploymentCondition type=1 string;status=2 string;reason?=4 string;message?=5 string;lastUpdateTime?=6 $Time;lastTransitionTime?=7 $Time
DeploymentList metadata?=1 meta/v1.ListMeta;items=2 []Deployment
DeploymentSpec replicas?=1 *int32;selector=2 *meta/v1.LabelSelector;template=3 core/v1.PodTemplateSpec;strategy?=4 DeploymentStrategy;minReadySeconds?=5 int32;revisionHistoryLimit?=6 *int32;paused?=7 bool;progressDeadlineSeconds?=9 *int32
DeploymentStatus observedGeneration?=1 int64;replicas?=2 int32;updatedReplicas?=3 int32;availableReplicas?=4 int32;unavailableReplicas?=5 int32;conditions?=6 []DeploymentCondition;readyReplicas?=7 int32;collisionCount?=8 *int32;terminatingReplicas?=9 *int32
DeploymentStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateDeployment
ReplicaSet metadata?=1 meta/v1.ObjectMeta;spec?=2 ReplicaSetSpec;status?=3 ReplicaSetStatus
ReplicaSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
ReplicaSetList metadata?=1 meta/v1.ListMeta;items=2 []ReplicaSet
ReplicaSetSpec replicas?=1 *int32;selector=2 *meta/v1.LabelSelector;template?=3 core/v1.PodTemplateSpec;minReadySeconds?=4 int32
ReplicaSetStatus replicas=1 int32;fullyLabeledReplicas?=2 int32;observedGeneration?=3 int64;readyReplicas?=4 int32;availableReplicas?=5 int32;conditions?=6 []ReplicaSetCondition;terminatingReplicas?=7 *int32
RollingUpdateDaemonSet maxUnavailable?=1 *$IntOrString;maxSurge?=2 *$IntOrString
RollingUpdateDeployment maxUnavailable?=1 *$IntOrString;maxSurge?=2 *$IntOrString
RollingUpdateStatefulSetStrategy partition?=1 *int32;maxUnavailable?=2 *$IntOrString
Scale metadata?=1 meta/v1.ObjectMeta;spec?=2 ScaleSpec;status?=3 ScaleStatus
ScaleSpec replicas?=1 int32
ScaleStatus replicas=1 int32;selector?=2 {}string;targetSelector?=3 string
StatefulSet metadata?=1 meta/v1.ObjectMeta;spec?=2 StatefulSetSpec;status?=3 StatefulSetStatus
StatefulSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
StatefulSetList metadata?=1 meta/v1.ListMeta;items=2 []StatefulSet
StatefulSetOrdinals start=1 int32
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted?=1 string;whenScaled?=2 string
StatefulSetSpec replicas?=1 *int32;selector=2 *meta/v1.LabelSelector;template=3 core/v1.PodTemplateSpec;volumeClaimTemplates?=4 []core/v1.PersistentVolumeClaim;serviceName=5 string;podManagementPolicy?=6 string;updateStrategy?=7 StatefulSetUpdateStrategy;revisionHistoryLimit?=8 *int32;minReadySeconds?=9 int32;persistentVolumeClaimRetentionPolicy?=10 *StatefulSetPersistentVolumeClaimRetentionPolicy;ordinals?=11 *StatefulSetOrdinals
StatefulSetStatus observedGeneration?=1 int64;replicas=2 int32;readyReplicas?=3 int32;currentReplicas?=4 int32;updatedReplicas?=5 int32;currentRevision?=6 string;updateRevision?=7 string;collisionCount?=9 *int32;conditions?=10 []StatefulSetCondition;availableReplicas=11 int32
StatefulSetUpdateStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateStatefulSetStrategy
authentication.k8s.io/v1
AttestationValue[] items=1 []string
BoundObjectReference kind?=1 string;apiVersion?=2 string;name?=3 string;uid?=4 string
ExtraValue[] items=1 []string
SelfSubjectReview metadata?=1 meta/v1.ObjectMeta;status?=2 SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo?=1 UserInfo
TokenRequest metadata?=1 meta/v1.ObjectMeta;spec=2 TokenRequestSpec;status?=3 TokenRequestStatus
TokenRequestSpec audiences=1 []string;boundObjectRef=3 *BoundObjectReference;expirationSeconds=4 *int64;attestations?=5 {}AttestationValue
TokenRequestStatus token=1 string;expirationTimestamp=2 $Time
TokenReview metadata?=1 meta/v1.ObjectMeta;spec=2 TokenReviewSpec;status?=3 TokenReviewStatus
TokenReviewSpec token?=1 string;audiences?=2 []string
TokenReviewStatus authenticated?=1 bool;user?=2 UserInfo;error?=3 string;audiences?=4 []string
UserInfo username?=1 string;uid?=2 string;groups?=3 []string;extra?=4 {}ExtraValue
authentication.k8s.io/v1alpha1
SelfSubjectReview metadata?=1 meta/v1.ObjectMeta;status?=2 SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo?=1 authentication.k8s.io/v1.UserInfo
authentication.k8s.io/v1beta1
ExtraValue[] items=1 []string
SelfSubjectReview metadata?=1 meta/v1.ObjectMeta;status?=2 SelfSubjectReviewStatus
SelfSubjectReviewStatus userInfo?=1 authentication.k8s.io/v1.UserInfo
TokenReview metadata?=1 meta/v1.ObjectMeta;spec=2 TokenReviewSpec;status?=3 TokenReviewStatus
TokenReviewSpec token?=1 string;audiences?=2 []string
TokenReviewStatus authenticated?=1 bool;user?=2 UserInfo;error?=3 string;audiences?=4 []string
UserInfo username?=1 string;uid?=2 string;groups?=3 []string;extra?=4 {}ExtraValue
authorization.k8s.io/v1
ExtraValue[] items=1 []string
FieldSelectorAttributes rawSelector?=1 string;requirements?=2 []meta/v1.FieldSelectorRequirement
LabelSelectorAttributes rawSelector?=1 string;requirements?=2 []meta/v1.LabelSelectorRequirement
LocalSubjectAccessReview metadata?=1 meta/v1.ObjectMeta;spec=2 SubjectAccessReviewSpec;status?=3 SubjectAccessReviewStatus
NonResourceAttributes path?=1 string;verb?=2 string
NonResourceRule verbs=1 []string;nonResourceURLs?=2 []string
ResourceAttributes namespace?=1 string;verb?=2 string;group?=3 string;version?=4 string;resource?=5 string;subresource?=6 string;name?=7 string;fieldSelector?=8 *FieldSelectorAttributes;labelSelector?=9 *LabelSelectorAttributes
ResourceRule verbs=1 []string;apiGroups?=2 []string;resources?=3 []string;resourceNames?=4 []string
SelfSubjectAccessReview metadata?=1 meta/v1.ObjectMeta;spec=2 SelfSubjectAccessReviewSpec;status?=3 SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec resourceAttributes?=1 *ResourceAttributes;nonResourceAttributes?=2 *NonResourceAttributes
SelfSubjectRulesReview metadata?=1 meta/v1.ObjectMeta;spec=2 SelfSubjectRulesReviewSpec;status?=3 SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace?=1 string
SubjectAccessReview metadata?=1 meta/v1.ObjectMeta;spec=2 SubjectAccessReviewSpec;status?=3 SubjectAccessReviewStatus
SubjectAccessReviewSpec resourceAttributes?=1 *ResourceAttributes;nonResourceAttributes?=2 *NonResourceAttributes;user?=3 string;groups?=4 []string;extra?=5 {}ExtraValue;uid?=6 string
SubjectAccessReviewStatus allowed=1 bool;reason?=2 string;evaluationError?=3 string;denied?=4 bool
SubjectRulesReviewStatus resourceRules=1 []ResourceRule;nonResourceRules=2 []NonResourceRule;incomplete=3 bool;evaluationError?=4 string
authorization.k8s.io/v1beta1
ExtraValue[] items=1 []string
LocalSubjectAccessReview metadata?=1 meta/v1.ObjectMeta;spec=2 SubjectAccessReviewSpec;status?=3 SubjectAccessReviewStatus
NonResourceAttributes path?=1 string;verb?=2 string
NonResourceRule verbs=1 []string;nonResourceURLs?=2 []string
ResourceAttributes namespace?=1 string;verb?=2 string;group?=3 string;version?=4 string;resource?=5 string;subresource?=6 string;name?=7 string;fieldSelector?=8 *authorization.k8s.io/v1.FieldSelectorAttributes;labelSelector?=9 *authorization.k8s.io/v1.LabelSelectorAttributes
ResourceRule verbs=1 []string;apiGroups?=2 []string;resources?=3 []string;resourceNames?=4 []string
SelfSubjectAccessReview metadata?=1 meta/v1.ObjectMeta;spec=2 SelfSubjectAccessReviewSpec;status?=3 SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec resourceAttributes?=1 *ResourceAttributes;nonResourceAttributes?=2 *NonResourceAttributes
SelfSubjectRulesReview metadata?=1 meta/v1.ObjectMeta;spec=2 SelfSubjectRulesReviewSpec;status?=3 SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec namespace?=1 string
SubjectAccessReview metadata?=1 meta/v1.ObjectMeta;spec=2 SubjectAccessReviewSpec;status?=3 SubjectAccessReviewStatus
SubjectAccessReviewSpec resourceAttributes?=1 *ResourceAttributes;nonResourceAttributes?=2 *NonResourceAttributes;user?=3 string;group?=4 []string;extra?=5 {}ExtraValue;uid?=6 string
SubjectAccessReviewStatus allowed=1 bool;reason?=2 string;evaluationError?=3 string;denied?=4 bool
SubjectRulesReviewStatus resourceRules=1 []ResourceRule;nonResourceRules=2 []NonResourceRule;incomplete=3 bool;evaluationError?=4 string
autoscaling/v1
ContainerResourceMetricSource name=1 string;targetAverageUtilization?=2 *int32;targetAverageValue?=3 *$Quantity;container=5 string
ContainerResourceMetricStatus name=1 string;currentAverageUtilization?=2 *int32;currentAverageValue=3 $Quantity;container=4 string
CrossVersionObjectReference kind=1 string;name=2 string;apiVersion?=3 string
ExternalMetricSource metricName=1 string;metricSelector?=2 *meta/v1.LabelSelector;targetValue?=3 *$Quantity;targetAverageValue?=4 *$Quantity
ExternalMetricStatus metricName=1 string;metricSelector?=2 *meta/v1.LabelSelector;currentValue=3 $Quantity;currentAverageValue?=4 *$Quantity
HorizontalPodAutoscaler metadata?=1 meta/v1.ObjectMeta;spec?=2 HorizontalPodAutoscalerSpec;status?=3 HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string;observedGeneration?=6 *int64
HorizontalPodAutoscalerList metadata?=1 meta/v1.ListMeta;items=2 []HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef=1 CrossVersionObjectReference;minReplicas?=2 *int32;maxReplicas=3 int32;targetCPUUtilizationPercentage?=4 *int32
HorizontalPodAutoscalerStatus observedGeneration?=1 *int64;lastScaleTime?=2 *$Time;currentReplicas=3 int32;desiredReplicas=4 int32;currentCPUUtilizationPercentage?=5 *int32
MetricSpec type=1 string;object?=2 *ObjectMetricSource;pods?=3 *PodsMetricSource;resource?=4 *ResourceMetricSource;external?=5 *ExternalMetricSource;containerResource?=7 *ContainerResourceMetricSource
MetricStatus type=1 string;object?=2 *ObjectMetricStatus;pods?=3 *PodsMetricStatus;resource?=4 *ResourceMetricStatus;external?=5 *ExternalMetricStatus;containerResource?=7 *ContainerResourceMetricStatus
ObjectMetricSource target=1 CrossVersionObjectReference;metricName=2 string;targetValue=3 $Quantity;selector?=4 *meta/v1.LabelSelector;averageValue?=5 *$Quantity
ObjectMetricStatus target=1 CrossVersionObjectReference;metricName=2 string;currentValue=3 $Quantity;selector?=4 *meta/v1.LabelSelector;averageValue?=5 *$Quantity
PodsMetricSource metricName=1 string;targetAverageValue=2 $Quantity;selector?=3 *meta/v1.LabelSelector
PodsMetricStatus metricName=1 string;currentAverageValue=2 $Quantity;selector?=3 *meta/v1.LabelSelector
ResourceMetricSource name=1 string;targetAverageUtilization?=2 *int32;targetAverageValue?=3 *$Quantity
ResourceMetricStatus name=1 string;currentAverageUtilization?=2 *int32;currentAverageValue=3 $Quantity
Scale metadata?=1 meta/v1.ObjectMeta;spec?=2 ScaleSpec;status?=3 ScaleStatus
ScaleSpec replicas?=1 int32
ScaleStatus replicas=1 int32;selector?=2 string
autoscaling/v2
ContainerResourceMetricSource name=1 string;target=2 MetricTarget;container=3 string
ContainerResourceMetricStatus name=1 string;current=2 MetricValueStatus;container=3 string
CrossVersionObjectReference kind=1 string;name=2 string;apiVersion?=3 string
ExternalMetricSource metric=1 MetricIdentifier;target=2 MetricTarget
ExternalMetricStatus metric=1 MetricIdentifier;current=2 MetricValueStatus
HPAScalingPolicy type=1 string;value=2 int32;periodSeconds=3 int32
HPAScalingRules selectPolicy?=1 *string;policies?=2 []HPAScalingPolicy;stabilizationWindowSeconds?=3 *int32;tolerance?=4 *$Quantity
HorizontalPodAutoscaler metadata?=1 meta/v1.ObjectMeta;spec?=2 HorizontalPodAutoscalerSpec;status?=3 HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerBehavior scaleUp?=1 *HPAScalingRules;scaleDown?=2 *HPAScalingRules
HorizontalPodAutoscalerCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string;observedGeneration?=6 *int64
HorizontalPodAutoscalerList metadata?=1 meta/v1.ListMeta;items=2 []HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef=1 CrossVersionObjectReference;minReplicas?=2 *int32;maxReplicas=3 int32;metrics?=4 []MetricSpec;behavior?=5 *HorizontalPodAutoscalerBehavior
HorizontalPodAutoscalerStatus observedGeneration?=1 *int64;lastScaleTime?=2 *$Time;currentReplicas?=3 int32;desiredReplicas=4 int32;currentMetrics=5 []MetricStatus;conditions?=6 []HorizontalPodAutoscalerCondition
MetricIdentifier name=1 string;selector?=2 *meta/v1.LabelSelector
MetricSpec type=1 string;object?=2 *ObjectMetricSource;pods?=3 *PodsMetricSource;resource?=4 *ResourceMetricSource;external?=5 *ExternalMetricSource;containerResource?=7 *ContainerResourceMetricSource
MetricStatus type=1 string;object?=2 *ObjectMetricStatus;pods?=3 *PodsMetricStatus;resource?=4 *ResourceMetricStatus;external?=5 *ExternalMetricStatus;containerResource?=7 *ContainerResourceMetricStatus
MetricTarget type=1 string;value?=2 *$Quantity;averageValue?=3 *$Quantity;averageUtilization?=4 *int32
MetricValueStatus value?=1 *$Quantity;averageValue?=2 *$Quantity;averageUtilization?=3 *int32
ObjectMetricSource describedObject=1 CrossVersionObjectReference;target=2 MetricTarget;metric=3 MetricIdentifier
ObjectMetricStatus metric=1 MetricIdentifier;current=2 MetricValueStatus;describedObject=3 CrossVersionObjectReference
PodsMetricSource metric=1 MetricIdentifier;target=2 MetricTarget
PodsMetricStatus metric=1 MetricIdentifier;current=2 MetricValueStatus
ResourceMetricSource name=1 string;target=2 MetricTarget
ResourceMetricStatus name=1 string;current=2 MetricValueStatus
autoscaling/v2beta1
ContainerResourceMetricSource name=1 string;targetAverageUtilization?=2 *int32;targetAverageValue?=3 *$Quantity;container=4 string
ContainerResourceMetricStatus name=1 string;currentAverageUtilization?=2 *int32;currentAverageValue=3 $Quantity;container=4 string
CrossVersionObjectReference kind=1 string;name=2 string;apiVersion?=3 string
ExternalMetricSource metricName=1 string;metricSelector?=2 *meta/v1.LabelSelector;targetValue?=3 *$Quantity;targetAverageValue?=4 *$Quantity
ExternalMetricStatus metricName=1 string;metricSelector?=2 *meta/v1.LabelSelector;currentValue=3 $Quantity;currentAverageValue?=4 *$Quantity
HorizontalPodAutoscaler metadata?=1 meta/v1.ObjectMeta;spec?=2 HorizontalPodAutoscalerSpec;status?=3 HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
HorizontalPodAutoscalerList metadata?=1 meta/v1.ListMeta;items=2 []HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef=1 CrossVersionObjectReference;minReplicas?=2 *int32;maxReplicas=3 int32;metrics?=4 []MetricSpec
HorizontalPodAutoscalerStatus observedGeneration?=1 *int64;lastScaleTime?=2 *$Time;currentReplicas=3 int32;desiredReplicas=4 int32;currentMetrics=5 []MetricStatus;conditions=6 []HorizontalPodAutoscalerCondition
MetricSpec type=1 string;object?=2 *ObjectMetricSource;pods?=3 *PodsMetricSource;resource?=4 *ResourceMetricSource;external?=5 *ExternalMetricSource;containerResource?=7 *ContainerResourceMetricSource
MetricStatus type=1 string;object?=2 *ObjectMetricStatus;pods?=3 *PodsMetricStatus;resource?=4 *ResourceMetricStatus;external?=5 *ExternalMetricStatus;containerResource?=7 *ContainerResourceMetricStatus
ObjectMetricSource target=1 CrossVersionObjectReference;metricName=2 string;targetValue=3 $Quantity;selector?=4 *meta/v1.LabelSelector;averageValue?=5 *$Quantity
ObjectMetricStatus target=1 CrossVersionObjectReference;metricName=2 string;currentValue=3 $Quantity;selector?=4 *meta/v1.LabelSelector;averageValue?=5 *$Quantity
PodsMetricSource metricName=1 string;targetAverageValue=2 $Quantity;selector?=3 *meta/v1.LabelSelector
PodsMetricStatus metricName=1 string;currentAverageValue=2 $Quantity;selector?=3 *meta/v1.LabelSelector
ResourceMetricSource name=1 string;targetAverageUtilization?=2 *int32;targetAverageValue?=3 *$Quantity
ResourceMetricStatus name=1 string;currentAverageUtilization?=2 *int32;currentAverageValue=3 $Quantity
autoscaling/v2beta2
ContainerResourceMetricSource name=1 string;target=2 MetricTarget;container=3 string
ContainerResourceMetricStatus name=1 string;current=2 MetricValueStatus;container=3 string
CrossVersionObjectReference kind=1 string;name=2 string;apiVersion?=3 string
ExternalMetricSource metric=1 MetricIdentifier;target=2 MetricTarget
ExternalMetricStatus metric=1 MetricIdentifier;current=2 MetricValueStatus
HPAScalingPolicy type=1 string;value=2 int32;periodSeconds=3 int32
HPAScalingRules selectPolicy?=1 *string;policies?=2 []HPAScalingPolicy;stabilizationWindowSeconds?=3 *int32
HorizontalPodAutoscaler metadata?=1 meta/v1.ObjectMeta;spec?=2 HorizontalPodAutoscalerSpec;status?=3 HorizontalPodAutoscalerStatus
HorizontalPodAutoscalerBehavior scaleUp?=1 *HPAScalingRules;scaleDown?=2 *HPAScalingRules
HorizontalPodAutoscalerCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
HorizontalPodAutoscalerList metadata?=1 meta/v1.ListMeta;items=2 []HorizontalPodAutoscaler
HorizontalPodAutoscalerSpec scaleTargetRef=1 CrossVersionObjectReference;minReplicas?=2 *int32;maxReplicas=3 int32;metrics?=4 []MetricSpec;behavior?=5 *HorizontalPodAutoscalerBehavior
HorizontalPodAutoscalerStatus observedGeneration?=1 *int64;lastScaleTime?=2 *$Time;currentReplicas=3 int32;desiredReplicas=4 int32;currentMetrics=5 []MetricStatus;conditions=6 []HorizontalPodAutoscalerCondition
MetricIdentifier name=1 string;selector?=2 *meta/v1.LabelSelector
MetricSpec type=1 string;object?=2 *ObjectMetricSource;pods?=3 *PodsMetricSource;resource?=4 *ResourceMetricSource;external?=5 *ExternalMetricSource;containerResource?=7 *ContainerResourceMetricSource
MetricStatus type=1 string;object?=2 *ObjectMetricStatus;pods?=3 *PodsMetricStatus;resource?=4 *ResourceMetricStatus;external?=5 *ExternalMetricStatus;containerResource?=7 *ContainerResourceMetricStatus
MetricTarget type=1 string;value?=2 *$Quantity;averageValue?=3 *$Quantity;averageUtilization?=4 *int32
MetricValueStatus value?=1 *$Quantity;averageValue?=2 *$Quantity;averageUtilization?=3 *int32
ObjectMetricSource describedObject=1 CrossVersionObjectReference;target=2 MetricTarget;metric=3 MetricIdentifier
ObjectMetricStatus metric=1 MetricIdentifier;current=2 MetricValueStatus;describedObject=3 CrossVersionObjectReference
PodsMetricSource metric=1 MetricIdentifier;target=2 MetricTarget
PodsMetricStatus metric=1 MetricIdentifier;current=2 MetricValueStatus
ResourceMetricSource name=1 string;target=2 MetricTarget
ResourceMetricStatus name=1 string;current=2 MetricValueStatus
batch/v1
CronJob metadata?=1 meta/v1.ObjectMeta;spec?=2 CronJobSpec;status?=3 CronJobStatus
CronJobList metadata?=1 meta/v1.ListMeta;items=2 []CronJob
CronJobSpec schedule=1 string;startingDeadlineSeconds?=2 *int64;concurrencyPolicy?=3 string;suspend?=4 *bool;jobTemplate=5 JobTemplateSpec;successfulJobsHistoryLimit?=6 *int32;failedJobsHistoryLimit?=7 *int32;timeZone?=8 *string
CronJobStatus active?=1 []core/v1.ObjectReference;lastScheduleTime?=4 *$Time;lastSuccessfulTime?=5 *$Time
Job metadata?=1 meta/v1.ObjectMeta;spec?=2 JobSpec;status?=3 JobStatus
JobCondition type=1 string;status=2 string;lastProbeTime?=3 $Time;lastTransitionTime?=4 $Time;reason?=5 string;message?=6 string
JobList metadata?=1 meta/v1.ListMeta;items=2 []Job
JobSchedulingConfiguration schedulingPolicy?=1 *scheduling.k8s.io/v1alpha3.WorkloadPodGroupSchedulingPolicy;schedulingConstraints?=2 *scheduling.k8s.io/v1alpha3.WorkloadPodGroupSchedulingConstraints;disruptionMode?=3 *scheduling.k8s.io/v1alpha3.WorkloadPodGroupDisruptionMode;resourceClaims?=4 []scheduling.k8s.io/v1alpha3.WorkloadPodGroupResourceClaim
JobSpec parallelism?=1 *int32;completions?=2 *int32;activeDeadlineSeconds?=3 *int64;selector?=4 *meta/v1.LabelSelector;manualSelector?=5 *bool;template=6 core/v1.PodTemplateSpec;backoffLimit?=7 *int32;ttlSecondsAfterFinished?=8 *int32;completionMode?=9 *string;suspend?=10 *bool;podFailurePolicy?=11 *PodFailurePolicy;backoffLimitPerIndex?=12 *int32;maxFailedIndexes?=13 *int32;podReplacementPolicy?=14 *string;managedBy?=15 *string;successPolicy?=16 *SuccessPolicy;scheduling?=17 *JobSchedulingConfiguration
JobStatus conditions?=1 []JobCondition;startTime?=2 *$Time;completionTime?=3 *$Time;active?=4 int32;succeeded?=5 int32;failed?=6 int32;completedIndexes?=7 string;uncountedTerminatedPods?=8 *UncountedTerminatedPods;ready?=9 *int32;failedIndexes?=10 *string;terminating?=11 *int32
JobTemplateSpec metadata?=1 meta/v1.ObjectMeta;spec?=2 JobSpec
PodFailurePolicy rules=1 []PodFailurePolicyRule
PodFailurePolicyOnExitCodesRequirement containerName?=1 *string;operator=2 string;values=3 []int32
PodFailurePolicyOnPodConditionsPattern type=1 string;status=2 string
PodFailurePolicyRule action=1 string;onExitCodes?=2 *PodFailurePolicyOnExitCodesRequirement;onPodConditions?=3 []PodFailurePolicyOnPodConditionsPattern
SuccessPolicy rules=1 []SuccessPolicyRule
SuccessPolicyRule succeededIndexes?=1 *string;succeededCount?=2 *int32
UncountedTerminatedPods succeeded?=1 []string;failed?=2 []string
batch/v1beta1
CronJob metadata?=1 meta/v1.ObjectMeta;spec?=2 CronJobSpec;status?=3 CronJobStatus
CronJobList metadata?=1 meta/v1.ListMeta;items=2 []CronJob
CronJobSpec schedule=1 string;startingDeadlineSeconds?=2 *int64;concurrencyPolicy?=3 string;suspend?=4 *bool;jobTemplate=5 JobTemplateSpec;successfulJobsHistoryLimit?=6 *int32;failedJobsHistoryLimit?=7 *int32;timeZone?=8 *string
CronJobStatus active?=1 []core/v1.ObjectReference;lastScheduleTime?=4 *$Time;lastSuccessfulTime?=5 *$Time
JobTemplateSpec metadata?=1 meta/v1.ObjectMeta;spec?=2 batch/v1.JobSpec
certificates.k8s.io/v1
CertificateSigningRequest metadata?=1 meta/v1.ObjectMeta;spec=2 CertificateSigningRequestSpec;status?=3 CertificateSigningRequestStatus
CertificateSigningRequestCondition type=1 string;reason?=2 string;message?=3 string;lastUpdateTime?=4 $Time;lastTransitionTime?=5 $Time;status=6 string
CertificateSigningRequestList metadata?=1 meta/v1.ListMeta;items=2 []CertificateSigningRequest
CertificateSigningRequestSpec request=1 bytes;username?=2 string;uid?=3 string;groups?=4 []string;usages?=5 []string;extra?=6 {}ExtraValue;signerName=7 string;expirationSeconds?=8 *int32
CertificateSigningRequestStatus conditions?=1 []CertificateSigningRequestCondition;certificate?=2 bytes
ClusterTrustBundle metadata?=1 meta/v1.ObjectMeta;spec=2 ClusterTrustBundleSpec
ClusterTrustBundleList metadata?=1 meta/v1.ListMeta;items=2 []ClusterTrustBundle
ClusterTrustBundleSpec signerName?=1 string;trustBundle=2 string
ExtraValue[] items=1 []string
PodCertificateRequest metadata?=1 meta/v1.ObjectMeta;spec=2 PodCertificateRequestSpec;status?=3 PodCertificateRequestStatus
PodCertificateRequestList metadata?=1 meta/v1.ListMeta;items=2 []PodCertificateRequest
PodCertificateRequestSpec signerName=1 string;podName=2 string;podUID=3 string;serviceAccountName=4 string;serviceAccountUID=5 string;nodeName=6 string;nodeUID=7 string;maxExpirationSeconds?=8 *int32;unverifiedUserAnnotations?=11 {}string;stubPKCS10Request=12 bytes
PodCertificateRequestStatus conditions?=1 []meta/v1.Condition;certificateChain?=2 string;notBefore?=4 *$Time;beginRefreshAt?=5 *$Time;notAfter?=6 *$Time
certificates.k8s.io/v1alpha1
ClusterTrustBundle metadata?=1 meta/v1.ObjectMeta;spec=2 ClusterTrustBundleSpec
ClusterTrustBundleList metadata?=1 meta/v1.ListMeta;items=2 []ClusterTrustBundle
ClusterTrustBundleSpec signerName?=1 string;trustBundle=2 string
PodCertificateRequest metadata?=1 meta/v1.ObjectMeta;spec=2 PodCertificateRequestSpec;status?=3 PodCertificateRequestStatus
PodCertificateRequestList metadata?=1 meta/v1.ListMeta;items=2 []PodCertificateRequest
PodCertificateRequestSpec signerName=1 string;podName=2 string;podUID=3 string;serviceAccountName=4 string;serviceAccountUID=5 string;nodeName=6 string;nodeUID=7 string;maxExpirationSeconds?=8 *int32;pkixPublicKey=9 bytes;proofOfPossession=10 bytes
PodCertificateRequestStatus conditions?=1 []meta/v1.Condition;certificateChain?=2 string;notBefore?=4 *$Time;beginRefreshAt?=5 *$Time;notAfter?=6 *$Time
certificates.k8s.io/v1beta1
CertificateSigningRequest metadata?=1 meta/v1.ObjectMeta;spec=2 CertificateSigningRequestSpec;status?=3 CertificateSigningRequestStatus
CertificateSigningRequestCondition type=1 string;reason?=2 string;message?=3 string;lastUpdateTime?=4 $Time;lastTransitionTime?=5 $Time;status=6 string
CertificateSigningRequestList metadata?=1 meta/v1.ListMeta;items=2 []CertificateSigningRequest
CertificateSigningRequestSpec request=1 bytes;username?=2 string;uid?=3 string;groups?=4 []string;usages?=5 []string;extra?=6 {}ExtraValue;signerName?=7 *string;expirationSeconds?=8 *int32
CertificateSigningRequestStatus conditions?=1 []CertificateSigningRequestCondition;certificate?=2 bytes
ClusterTrustBundle metadata?=1 meta/v1.ObjectMeta;spec=2 ClusterTrustBundleSpec
ClusterTrustBundleList metadata?=1 meta/v1.ListMeta;items=2 []ClusterTrustBundle
ClusterTrustBundleSpec signerName?=1 string;trustBundle=2 string
ExtraValue[] items=1 []string
PodCertificateRequest metadata?=1 meta/v1.ObjectMeta;spec=2 PodCertificateRequestSpec;status?=3 PodCertificateRequestStatus
PodCertificateRequestList metadata?=1 meta/v1.ListMeta;items=2 []PodCertificateRequest
PodCertificateRequestSpec signerName=1 string;podName=2 string;podUID=3 string;serviceAccountName=4 string;serviceAccountUID=5 string;nodeName=6 string;nodeUID=7 string;maxExpirationSeconds?=8 *int32;pkixPublicKey=9 bytes;proofOfPossession=10 bytes;unverifiedUserAnnotations?=11 {}string;stubPKCS10Request=12 bytes
PodCertificateRequestStatus conditions?=1 []meta/v1.Condition;certificateChain?=2 string;notBefore?=4 *$Time;beginRefreshAt?=5 *$Time;notAfter?=6 *$Time
coordination.k8s.io/v1
Lease metadata?=1 meta/v1.ObjectMeta;spec?=2 LeaseSpec
LeaseList metadata?=1 meta/v1.ListMeta;items=2 []Lease
LeaseSpec holderIdentity?=1 *string;leaseDurationSeconds?=2 *int32;acquireTime?=3 *$MicroTime;renewTime?=4 *$MicroTime;leaseTransitions?=5 *int32;strategy?=6 *string;preferredHolder?=7 *string
coordination.k8s.io/v1alpha1
LeaseCandidate metadata?=1 meta/v1.ObjectMeta;spec?=2 LeaseCandidateSpec
LeaseCandidateList metadata?=1 meta/v1.ListMeta;items=2 []LeaseCandidate
LeaseCandidateSpec leaseName=1 string;pingTime?=2 *$MicroTime;renewTime?=3 *$MicroTime;binaryVersion?=4 string;emulationVersion?=5 string;preferredStrategies?=6 []string
coordination.k8s.io/v1alpha2
LeaseCandidate metadata?=1 meta/v1.ObjectMeta;spec?=2 LeaseCandidateSpec
LeaseCandidateList metadata?=1 meta/v1.ListMeta;items=2 []LeaseCandidate
LeaseCandidateSpec leaseName=1 string;pingTime?=2 *$MicroTime;renewTime?=3 *$MicroTime;binaryVersion=4 string;emulationVersion?=5 string;strategy?=6 string
coordination.k8s.io/v1beta1
Lease metadata?=1 meta/v1.ObjectMeta;spec?=2 LeaseSpec
LeaseCandidate metadata?=1 meta/v1.ObjectMeta;spec?=2 LeaseCandidateSpec
LeaseCandidateList metadata?=1 meta/v1.ListMeta;items=2 []LeaseCandidate
LeaseCandidateSpec leaseName=1 string;pingTime?=2 *$MicroTime;renewTime?=3 *$MicroTime;binaryVersion=4 string;emulationVersion?=5 string;strategy?=6 string
LeaseList metadata?=1 meta/v1.ListMeta;items=2 []Lease
LeaseSpec holderIdentity?=1 *string;leaseDurationSeconds?=2 *int32;acquireTime?=3 *$MicroTime;renewTime?=4 *$MicroTime;leaseTransitions?=5 *int32;strategy?=6 *string;preferredHolder?=7 *string
core/v1
AWSElasticBlockStoreVolumeSource volumeID=1 string;fsType?=2 string;partition?=3 int32;readOnly?=4 bool
Affinity nodeAffinity?=1 *NodeAffinity;podAffinity?=2 *PodAffinity;podAntiAffinity?=3 *PodAntiAffinity
AppArmorProfile type=1 string;localhostProfile?=2 *string
AttachedVolume name=1 string;devicePath=2 string
AvoidPods preferAvoidPods?=1 []PreferAvoidPodsEntry
AzureDiskVolumeSource diskName=1 string;diskURI=2 string;cachingMode?=3 *string;fsType?=4 *string;readOnly?=5 *bool;kind?=6 *string
AzureFilePersistentVolumeSource secretName=1 string;shareName=2 string;readOnly?=3 bool;secretNamespace=4 *string
AzureFileVolumeSource secretName=1 string;shareName=2 string;readOnly?=3 bool
Binding metadata?=1 meta/v1.ObjectMeta;target=2 ObjectReference
CSIPersistentVolumeSource driver=1 string;volumeHandle=2 string;readOnly?=3 bool;fsType?=4 string;volumeAttributes?=5 {}string;controllerPublishSecretRef?=6 *SecretReference;nodeStageSecretRef?=7 *SecretReference;nodePublishSecretRef?=8 *SecretReference;controllerExpandSecretRef?=9 *SecretReference;nodeExpandSecretRef?=10 *SecretReference
CSIVolumeSource driver=1 string;readOnly?=2 *bool;fsType?=3 *string;volumeAttributes?=4 {}string;nodePublishSecretRef?=5 *LocalObjectReference
Capabilities add?=1 []string;drop?=2 []string
CephFSPersistentVolumeSource monitors=1 []string;path?=2 string;user?=3 string;secretFile?=4 string;secretRef?=5 *SecretReference;readOnly?=6 bool
CephFSVolumeSource monitors=1 []string;path?=2 string;user?=3 string;secretFile?=4 string;secretRef?=5 *LocalObjectReference;readOnly?=6 bool
CinderPersistentVolumeSource volumeID=1 string;fsType?=2 string;readOnly?=3 bool;secretRef?=4 *SecretReference
CinderVolumeSource volumeID=1 string;fsType?=2 string;readOnly?=3 bool;secretRef?=4 *LocalObjectReference
ClientIPConfig timeoutSeconds?=1 *int32
ClusterTrustBundleProjection name?=1 *string;signerName?=2 *string;labelSelector?=3 *meta/v1.LabelSelector;path=4 string;optional?=5 *bool;user?=6 *int64
ComponentCondition type=1 string;status=2 string;message?=3 string;error?=4 string
ComponentStatus metadata?=1 meta/v1.ObjectMeta;conditions?=2 []ComponentCondition
ComponentStatusList metadata?=1 meta/v1.ListMeta;items=2 []ComponentStatus
ConfigMap metadata?=1 meta/v1.ObjectMeta;data?=2 {}string;binaryData?=3 {}bytes;immutable?=4 *bool
ConfigMapEnvSource =1 LocalObjectReference;optional?=2 *bool
ConfigMapKeySelector =1 LocalObjectReference;key=2 string;optional?=3 *bool
ConfigMapList metadata?=1 meta/v1.ListMeta;items=2 []ConfigMap
ConfigMapNodeConfigSource namespace=1 string;name=2 string;uid?=3 string;resourceVersion?=4 string;kubeletConfigKey=5 string
ConfigMapProjection =1 LocalObjectReference;items?=2 []KeyToPath;optional?=4 *bool
ConfigMapVolumeSource =1 LocalObjectReference;items?=2 []KeyToPath;defaultMode?=3 *int32;optional?=4 *bool;defaultUser?=5 *int64
Container name=1 string;image?=2 string;command?=3 []string;args?=4 []string;workingDir?=5 string;ports?=6 []ContainerPort;env?=7 []EnvVar;resources?=8 ResourceRequirements;volumeMounts?=9 []VolumeMount;livenessProbe?=10 *Probe;readinessProbe?=11 *Probe;lifecycle?=12 *Lifecycle;terminationMessagePath?=13 string;imagePullPolicy?=14 string;securityContext?=15 *SecurityContext;stdin?=16 bool;stdinOnce?=17 bool;tty?=18 bool;envFrom?=19 []EnvFromSource;terminationMessagePolicy?=20 string;volumeDevices?=21 []VolumeDevice;startupProbe?=22 *Probe;resizePolicy?=23 []ContainerResizePolicy;restartPolicy?=24 *string;restartPolicyRules?=25 []ContainerRestartRule
ContainerExtendedResourceRequest containerName=1 string;resourceName=2 string;requestName=3 string
ContainerImage names=1 []string;sizeBytes?=2 int64
ContainerPort name?=1 string;hostPort?=2 int32;containerPort=3 int32;protocol?=4 string;hostIP?=5 string
ContainerResizePolicy resourceName=1 string;restartPolicy=2 string
ContainerRestartRule action?=1 string;exitCodes?=2 *ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator?=1 string;values?=2 []int32
ContainerState waiting?=1 *ContainerStateWaiting;running?=2 *ContainerStateRunning;terminated?=3 *ContainerStateTerminated
ContainerStateRunning startedAt?=1 $Time
ContainerStateTerminated exitCode=1 int32;signal?=2 int32;reason?=3 string;message?=4 string;startedAt?=5 $Time;finishedAt?=6 $Time;containerID?=7 string
ContainerStateWaiting reason?=1 string;message?=2 string
ContainerStatus name=1 string;state?=2 ContainerState;lastState?=3 ContainerState;ready=4 bool;restartCount=5 int32;image=6 string;imageID=7 string;containerID?=8 string;started?=9 *bool;allocatedResources?=10 {}$Quantity;resources?=11 *ResourceRequirements;volumeMounts?=12 []VolumeMountStatus;user?=13 *ContainerUser;allocatedResourcesStatus?=14 []ResourceStatus;stopSignal?=15 *string
ContainerUser linux?=1 *LinuxContainerUser
DaemonEndpoint Port=1 int32
DownwardAPIProjection items?=1 []DownwardAPIVolumeFile
DownwardAPIVolumeFile path=1 string;fieldRef?=2 *ObjectFieldSelector;resourceFieldRef?=3 *ResourceFieldSelector;mode?=4 *int32;user?=5 *int64
DownwardAPIVolumeSource items?=1 []DownwardAPIVolumeFile;defaultMode?=2 *int32;defaultUser?=3 *int64
EmptyDirVolumeSource medium?=1 string;sizeLimit?=2 *$Quantity;mode?=3 *int32
EndpointAddress ip=1 string;targetRef?=2 *ObjectReference;hostname?=3 string;nodeName?=4 *string
EndpointPort name?=1 string;port=2 int32;protocol?=3 string;appProtocol?=4 *string
EndpointSubset addresses?=1 []EndpointAddress;notReadyAddresses?=2 []EndpointAddress;ports?=3 []EndpointPort
Endpoints metadata?=1 meta/v1.ObjectMeta;subsets?=2 []EndpointSubset
EndpointsList metadata?=1 meta/v1.ListMeta;items=2 []Endpoints
EnvFromSource prefix?=1 string;configMapRef?=2 *ConfigMapEnvSource;secretRef?=3 *SecretEnvSource
EnvVar name=1 string;value?=2 string;valueFrom?=3 *EnvVarSource
EnvVarSource fieldRef?=1 *ObjectFieldSelector;resourceFieldRef?=2 *ResourceFieldSelector;configMapKeyRef?=3 *ConfigMapKeySelector;secretKeyRef?=4 *SecretKeySelector;fileKeyRef?=5 *FileKeySelector
EphemeralContainer =1 EphemeralContainerCommon;targetContainerName?=2 string
EphemeralContainerCommon name=1 string;image?=2 string;command?=3 []string;args?=4 []string;workingDir?=5 string;ports?=6 []ContainerPort;env?=7 []EnvVar;resources?=8 ResourceRequirements;volumeMounts?=9 []VolumeMount;livenessProbe?=10 *Probe;readinessProbe?=11 *Probe;lifecycle?=12 *Lifecycle;terminationMessagePath?=13 string;imagePullPolicy?=14 string;securityContext?=15 *SecurityContext;stdin?=16 bool;stdinOnce?=17 bool;tty?=18 bool;envFrom?=19 []EnvFromSource;terminationMessagePolicy?=20 string;volumeDevices?=21 []VolumeDevice;startupProbe?=22 *Probe;resizePolicy?=23 []ContainerResizePolicy;restartPolicy?=24 *string;restartPolicyRules?=25 []ContainerRestartRule
EphemeralVolumeSource volumeClaimTemplate?=1 *PersistentVolumeClaimTemplate
Event metadata=1 meta/v1.ObjectMeta;involvedObject=2 ObjectReference;reason?=3 string;message?=4 string;source?=5 EventSource;firstTimestamp?=6 $Time;lastTimestamp?=7 $Time;count?=8 int32;type?=9 string;eventTime?=10 $MicroTime;series?=11 *EventSeries;action?=12 string;related?=13 *ObjectReference;reportingComponent=14 string;reportingInstance=15 string
EventList metadata?=1 meta/v1.ListMeta;items=2 []Event
EventSeries count?=1 int32;lastObservedTime?=2 $MicroTime
EventSource component?=1 string;host?=2 string
EvictionResponder name=1 string;priority=2 *int32
ExecAction command?=1 []string
FCVolumeSource targetWWNs?=1 []string;lun?=2 *int32;fsType?=3 string;readOnly?=4 bool;wwids?=5 []string
FileKeySelector volumeName=1 string;path=2 string;key=3 string;optional?=4 *bool
FlexPersistentVolumeSource driver=1 string;fsType?=2 string;secretRef?=3 *SecretReference;readOnly?=4 bool;options?=5 {}string
FlexVolumeSource driver=1 string;fsType?=2 string;secretRef?=3 *LocalObjectReference;readOnly?=4 bool;options?=5 {}string
FlockerVolumeSource datasetName?=1 string;datasetUUID?=2 string
GCEPersistentDiskVolumeSource pdName=1 string;fsType?=2 string;partition?=3 int32;readOnly?=4 bool
GRPCAction port=1 int32;service=2 *string;mode?=3 *string
GitRepoVolumeSource repository=1 string;revision?=2 string;directory?=3 string
GlusterfsPersistentVolumeSource endpoints=1 string;path=2 string;readOnly?=3 bool;endpointsNamespace?=4 *string
GlusterfsVolumeSource endpoints=1 string;path=2 string;readOnly?=3 bool
HTTPGetAction path?=1 string;port=2 $IntOrString;host?=3 string;scheme?=4 string;httpHeaders?=5 []HTTPHeader;protocol?=6 *string
HTTPHeader name=1 string;value=2 string
HostAlias ip=1 string;hostnames?=2 []string
HostIP ip=1 string
HostPathVolumeSource path=1 string;type?=2 *string
ISCSIPersistentVolumeSource targetPortal=1 string;iqn=2 string;lun=3 int32;iscsiInterface?=4 string;fsType?=5 string;readOnly?=6 bool;portals?=7 []string;chapAuthDiscovery?=8 bool;secretRef?=10 *SecretReference;chapAuthSession?=11 bool;initiatorName?=12 *string
ISCSIVolumeSource targetPortal=1 string;iqn=2 string;lun=3 int32;iscsiInterface?=4 string;fsType?=5 string;readOnly?=6 bool;portals?=7 []string;chapAuthDiscovery?=8 bool;secretRef?=10 *LocalObjectReference;chapAuthSession?=11 bool;initiatorName?=12 *string
ImageVolumeSource reference?=1 string;pullPolicy?=2 string
ImageVolumeStatus imageRef?=1 string
KeyToPath key=1 string;path=2 string;mode?=3 *int32;user?=4 *int64
Lifecycle postStart?=1 *LifecycleHandler;preStop?=2 *LifecycleHandler;stopSignal?=3 *string
LifecycleHandler exec?=1 *ExecAction;httpGet?=2 *HTTPGetAction;tcpSocket?=3 *TCPSocketAction;sleep?=4 *SleepAction
LimitRange metadata?=1 meta/v1.ObjectMeta;spec?=2 LimitRangeSpec
LimitRangeItem type=1 string;max?=2 {}$Quantity;min?=3 {}$Quantity;default?=4 {}$Quantity;defaultRequest?=5 {}$Quantity;maxLimitRequestRatio?=6 {}$Quantity
LimitRangeList metadata?=1 meta/v1.ListMeta;items=2 []LimitRange
LimitRangeSpec limits=1 []LimitRangeItem
LinuxContainerUser uid=1 int64;gid=2 int64;supplementalGroups?=3 []int64
List metadata?=1 meta/v1.ListMeta;items=2 []$RawExtension
LoadBalancerIngress ip?=1 string;hostname?=2 string;ipMode?=3 *string;ports?=4 []PortStatus
LoadBalancerStatus ingress?=1 []LoadBalancerIngress
LocalObjectReference name?=1 string
LocalVolumeSource path=1 string;fsType?=2 *string
ModifyVolumeStatus targetVolumeAttributesClassName?=1 string;status=2 string
NFSVolumeSource server=1 string;path=2 string;readOnly?=3 bool
Namespace metadata?=1 meta/v1.ObjectMeta;spec?=2 NamespaceSpec;status?=3 NamespaceStatus
NamespaceCondition type=1 string;status=2 string;lastTransitionTime?=4 $Time;reason?=5 string;message?=6 string
NamespaceList metadata?=1 meta/v1.ListMeta;items=2 []Namespace
NamespaceSpec finalizers?=1 []string
NamespaceStatus phase?=1 string;conditions?=2 []NamespaceCondition
Node metadata?=1 meta/v1.ObjectMeta;spec?=2 NodeSpec;status?=3 NodeStatus
NodeAddress type=1 string;address=2 string
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution?=1 *NodeSelector;preferredDuringSchedulingIgnoredDuringExecution?=2 []PreferredSchedulingTerm
NodeAllocatableMappedResources name=1 string;quantity=2 *$Quantity
NodeAllocatableOverheadResources name=1 string;perPod?=2 *$Quantity;perContainer?=3 *$Quantity
NodeAllocatableResourceClaimStatus resourceClaimName=1 string;containers?=2 []string;resources?=3 {}$Quantity;mapping?=4 []NodeAllocatableMappedResources;overhead?=5 []NodeAllocatableOverheadResources
NodeCondition type=1 string;status=2 string;lastHeartbeatTime?=3 $Time;lastTransitionTime?=4 $Time;reason?=5 string;message?=6 string
NodeConfigSource configMap?=2 *ConfigMapNodeConfigSource
NodeConfigStatus assigned?=1 *NodeConfigSource;active?=2 *NodeConfigSource;lastKnownGood?=3 *NodeConfigSource;error?=4 string
NodeDaemonEndpoints kubeletEndpoint?=1 DaemonEndpoint
NodeFeatures supplementalGroupsPolicy?=1 *bool
NodeList metadata?=1 meta/v1.ListMeta;items=2 []Node
NodePodPreemptionPolicy disableResizePreemption?=1 []string
NodeProxyOptions path?=1 string
NodeRuntimeHandler name=1 string;features?=2 *NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts?=1 *bool;userNamespaces?=2 *bool
NodeSelector nodeSelectorTerms=1 []NodeSelectorTerm
NodeSelectorRequirement key=1 string;operator=2 string;values?=3 []string
NodeSelectorTerm matchExpressions?=1 []NodeSelectorRequirement;matchFields?=2 []NodeSelectorRequirement
NodeSpec podCIDR?=1 string;externalID?=2 string;providerID?=3 string;unschedulable?=4 bool;taints?=5 []Taint;configSource?=6 *NodeConfigSource;podCIDRs?=7 []string;podPreemptionPolicy?=8 *NodePodPreemptionPolicy
NodeStatus capacity?=1 {}$Quantity;allocatable?=2 {}$Quantity;phase?=3 string;conditions?=4 []NodeCondition;addresses?=5 []NodeAddress;daemonEndpoints?=6 NodeDaemonEndpoints;nodeInfo?=7 NodeSystemInfo;images?=8 []ContainerImage;volumesInUse?=9 []string;volumesAttached?=10 []AttachedVolume;config?=11 *NodeConfigStatus;runtimeHandlers?=12 []NodeRuntimeHandler;features?=13 *NodeFeatures;declaredFeatures?=14 []string
NodeSwapStatus capacity?=1 *int64
NodeSystemInfo machineID=1 string;systemUUID=2 string;bootID=3 string;kernelVersion=4 string;osImage=5 string;containerRuntimeVersion=6 string;kubeletVersion=7 string;kubeProxyVersion=8 string;operatingSystem=9 string;architecture=10 string;swap?=11 *NodeSwapStatus;runningInUserNamespace?=12 *bool
ObjectFieldSelector apiVersion?=1 string;fieldPath=2 string
ObjectReference kind?=1 string;namespace?=2 string;name?=3 string;uid?=4 string;apiVersion?=5 string;resourceVersion?=6 string;fieldPath?=7 string
PersistentVolume metadata?=1 meta/v1.ObjectMeta;spec?=2 PersistentVolumeSpec;status?=3 PersistentVolumeStatus
PersistentVolumeClaim metadata?=1 meta/v1.ObjectMeta;spec?=2 PersistentVolumeClaimSpec;status?=3 PersistentVolumeClaimStatus
PersistentVolumeClaimCondition type=1 string;status=2 string;lastProbeTime?=3 $Time;lastTransitionTime?=4 $Time;reason?=5 string;message?=6 string
PersistentVolumeClaimList metadata?=1 meta/v1.ListMeta;items=2 []PersistentVolumeClaim
PersistentVolumeClaimSpec accessModes?=1 []string;resources?=2 VolumeResourceRequirements;volumeName?=3 string;selector?=4 *meta/v1.LabelSelector;storageClassName?=5 *string;volumeMode?=6 *string;dataSource?=7 *TypedLocalObjectReference;dataSourceRef?=8 *TypedObjectReference;volumeAttributesClassName?=9 *string
PersistentVolumeClaimStatus phase?=1 string;accessModes?=2 []string;capacity?=3 {}$Quantity;conditions?=4 []PersistentVolumeClaimCondition;allocatedResources?=5 {}$Quantity;allocatedResourceStatuses?=7 {}string;currentVolumeAttributesClassName?=8 *string;modifyVolumeStatus?=9 *ModifyVolumeStatus;healthStatus?=10 *VolumeHealthStatus
PersistentVolumeClaimTemplate metadata?=1 meta/v1.ObjectMeta;spec=2 PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName=1 string;readOnly?=2 bool
PersistentVolumeList metadata?=1 meta/v1.ListMeta;items=2 []PersistentVolume
PersistentVolumeSource gcePersistentDisk?=1 *GCEPersistentDiskVolumeSource;awsElasticBlockStore?=2 *AWSElasticBlockStoreVolumeSource;hostPath?=3 *HostPathVolumeSource;glusterfs?=4 *GlusterfsPersistentVolumeSource;nfs?=5 *NFSVolumeSource;rbd?=6 *RBDPersistentVolumeSource;iscsi?=7 *ISCSIPersistentVolumeSource;cinder?=8 *CinderPersistentVolumeSource;cephfs?=9 *CephFSPersistentVolumeSource;fc?=10 *FCVolumeSource;flocker?=11 *FlockerVolumeSource;flexVolume?=12 *FlexPersistentVolumeSource;azureFile?=13 *AzureFilePersistentVolumeSource;vsphereVolume?=14 *VsphereVirtualDiskVolumeSource;quobyte?=15 *QuobyteVolumeSource;azureDisk?=16 *AzureDiskVolumeSource;photonPersistentDisk?=17 *PhotonPersistentDiskVolumeSource;portworxVolume?=18 *PortworxVolumeSource;scaleIO?=19 *ScaleIOPersistentVolumeSource;local?=20 *LocalVolumeSource;storageos?=21 *StorageOSPersistentVolumeSource;csi?=22 *CSIPersistentVolumeSource
PersistentVolumeSpec capacity?=1 {}$Quantity;=2 PersistentVolumeSource;accessModes?=3 []string;claimRef?=4 *ObjectReference;persistentVolumeReclaimPolicy?=5 string;storageClassName?=6 string;mountOptions?=7 []string;volumeMode?=8 *string;nodeAffinity?=9 *VolumeNodeAffinity;volumeAttributesClassName?=10 *string
PersistentVolumeStatus phase?=1 string;message?=2 string;reason?=3 string;lastPhaseTransitionTime?=4 *$Time
PhotonPersistentDiskVolumeSource pdID=1 string;fsType?=2 string
Pod metadata?=1 meta/v1.ObjectMeta;spec?=2 PodSpec;status?=3 PodStatus
PodAffinity requiredDuringSchedulingIgnoredDuringExecution?=1 []PodAffinityTerm;preferredDuringSchedulingIgnoredDuringExecution?=2 []WeightedPodAffinityTerm
PodAffinityTerm labelSelector?=1 *meta/v1.LabelSelector;namespaces?=2 []string;topologyKey=3 string;namespaceSelector?=4 *meta/v1.LabelSelector;matchLabelKeys?=5 []string;mismatchLabelKeys?=6 []string
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution?=1 []PodAffinityTerm;preferredDuringSchedulingIgnoredDuringExecution?=2 []WeightedPodAffinityTerm
PodAttachOptions stdin?=1 bool;stdout?=2 bool;stderr?=3 bool;tty?=4 bool;container?=5 string
PodCertificateProjection signerName?=1 string;keyType?=2 string;maxExpirationSeconds?=3 *int32;credentialBundlePath?=4 string;keyPath?=5 string;certificateChainPath?=6 string;userAnnotations?=7 {}string;user?=8 *int64
PodCondition type=1 string;status=2 string;lastProbeTime?=3 $Time;lastTransitionTime?=4 $Time;reason?=5 string;message?=6 string;observedGeneration?=7 int64
PodDNSConfig nameservers?=1 []string;searches?=2 []string;options?=3 []PodDNSConfigOption
PodDNSConfigOption name?=1 string;value?=2 *string
PodExecOptions stdin?=1 bool;stdout?=2 bool;stderr?=3 bool;tty?=4 bool;container?=5 string;command=6 []string
PodExtendedResourceClaimStatus requestMappings=1 []ContainerExtendedResourceRequest;resourceClaimName=2 string
PodIP ip=1 string
PodList metadata?=1 meta/v1.ListMeta;items=2 []Pod
PodLogOptions container?=1 string;follow?=2 bool;previous?=3 bool;sinceSeconds?=4 *int64;sinceTime?=5 *$Time;timestamps?=6 bool;tailLines?=7 *int64;limitBytes?=8 *int64;insecureSkipTLSVerifyBackend?=9 bool;stream?=10 *string
PodOS name=1 string
PodPortForwardOptions ports?=1 []int32
PodProxyOptions path?=1 string
PodReadinessGate conditionType=1 string
PodResourceClaim name=1 string;resourceClaimName?=3 *string;resourceClaimTemplateName?=4 *string
PodResourceClaimStatus name=1 string;resourceClaimName?=2 *string
PodSchedulingGate name=1 string
PodSchedulingGroup podGroupName?=1 *string
PodSecurityContext seLinuxOptions?=1 *SELinuxOptions;runAsUser?=2 *int64;runAsNonRoot?=3 *bool;supplementalGroups?=4 []int64;fsGroup?=5 *int64;runAsGroup?=6 *int64;sysctls?=7 []Sysctl;windowsOptions?=8 *WindowsSecurityContextOptions;fsGroupChangePolicy?=9 *string;seccompProfile?=10 *SeccompProfile;appArmorProfile?=11 *AppArmorProfile;supplementalGroupsPolicy?=12 *string;seLinuxChangePolicy?=13 *string
PodSignature podController?=1 *meta/v1.OwnerReference
PodSpec volumes?=1 []Volume;containers=2 []Container;restartPolicy?=3 string;terminationGracePeriodSeconds?=4 *int64;activeDeadlineSeconds?=5 *int64;dnsPolicy?=6 string;nodeSelector?=7 {}string;serviceAccountName?=8 string;serviceAccount?=9 string;nodeName?=10 string;hostNetwork?=11 bool;hostPID?=12 bool;hostIPC?=13 bool;securityContext?=14 *PodSecurityContext;imagePullSecrets?=15 []LocalObjectReference;hostname?=16 string;subdomain?=17 string;affinity?=18 *Affinity;schedulerName?=19 string;initContainers?=20 []Container;automountServiceAccountToken?=21 *bool;tolerations?=22 []Toleration;hostAliases?=23 []HostAlias;priorityClassName?=24 string;priority?=25 *int32;dnsConfig?=26 *PodDNSConfig;shareProcessNamespace?=27 *bool;readinessGates?=28 []PodReadinessGate;runtimeClassName?=29 *string;enableServiceLinks?=30 *bool;preemptionPolicy?=31 *string;overhead?=32 {}$Quantity;topologySpreadConstraints?=33 []TopologySpreadConstraint;ephemeralContainers?=34 []EphemeralContainer;setHostnameAsFQDN?=35 *bool;os?=36 *PodOS;hostUsers?=37 *bool;schedulingGates?=38 []PodSchedulingGate;resourceClaims?=39 []PodResourceClaim;resources?=40 *ResourceRequirements;hostnameOverride?=41 *string;workloadRef?=42 *WorkloadReference;schedulingGroup?=43 *PodSchedulingGroup;evictionResponders?=44 []EvictionResponder
PodStatus phase?=1 string;conditions?=2 []PodCondition;message?=3 string;reason?=4 string;hostIP?=5 string;podIP?=6 string;startTime?=7 *$Time;containerStatuses?=8 []ContainerStatus;qosClass?=9 string;initContainerStatuses?=10 []ContainerStatus;nominatedNodeName?=11 string;podIPs?=12 []PodIP;ephemeralContainerStatuses?=13 []ContainerStatus;resize?=14 string;resourceClaimStatuses?=15 []PodResourceClaimStatus;hostIPs?=16 []HostIP;observedGeneration?=17 int64;extendedResourceClaimStatus?=18 *PodExtendedResourceClaimStatus;allocatedResources?=19 {}$Quantity;resources?=20 *ResourceRequirements;nodeAllocatableResourceClaimStatuses?=21 []NodeAllocatableResourceClaimStatus;volumeHealth?=22 []PodVolumeHealth
PodStatusResult metadata?=1 meta/v1.ObjectMeta;status?=2 PodStatus
PodTemplate metadata?=1 meta/v1.ObjectMeta;template?=2 PodTemplateSpec
PodTemplateList metadata?=1 meta/v1.ListMeta;items=2 []PodTemplate
PodTemplateSpec metadata?=1 meta/v1.ObjectMeta;spec?=2 PodSpec
PodVolumeHealth name=1 string;healthConditions?=2 []VolumeHealthCondition;lastTransitionTime?=3 $Time
PortStatus port=1 int32;protocol=2 string;error?=3 *string
PortworxVolumeSource volumeID=1 string;fsType?=2 string;readOnly?=3 bool
Preconditions uid?=1 *string
PreferAvoidPodsEntry podSignature=1 PodSignature;evictionTime?=2 $Time;reason?=3 string;message?=4 string
PreferredSchedulingTerm weight=1 int32;preference=2 NodeSelectorTerm
Probe =1 ProbeHandler;initialDelaySeconds?=2 int32;timeoutSeconds?=3 int32;periodSeconds?=4 int32;successThreshold?=5 int32;failureThreshold?=6 int32;terminationGracePeriodSeconds?=7 *int64
ProbeHandler exec?=1 *ExecAction;httpGet?=2 *HTTPGetAction;tcpSocket?=3 *TCPSocketAction;grpc?=4 *GRPCAction
ProjectedVolumeSource sources=1 []VolumeProjection;defaultMode?=2 *int32;defaultUser?=3 *int64
QuobyteVolumeSource registry=1 string;volume=2 string;readOnly?=3 bool;user?=4 string;group?=5 string;tenant?=6 string
RBDPersistentVolumeSource monitors=1 []string;image=2 string;fsType?=3 string;pool?=4 string;user?=5 string;keyring?=6 string;secretRef?=7 *SecretReference;readOnly?=8 bool
RBDVolumeSource monitors=1 []string;image=2 string;fsType?=3 string;pool?=4 string;user?=5 string;keyring?=6 string;secretRef?=7 *LocalObjectReference;readOnly?=8 bool
RangeAllocation metadata?=1 meta/v1.ObjectMeta;range=2 string;data=3 bytes
ReplicationController metadata?=1 meta/v1.ObjectMeta;spec?=2 ReplicationControllerSpec;status?=3 ReplicationControllerStatus
ReplicationControllerCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
ReplicationControllerList metadata?=1 meta/v1.ListMeta;items=2 []ReplicationController
ReplicationControllerSpec replicas?=1 *int32;selector?=2 {}string;template?=3 *PodTemplateSpec;minReadySeconds?=4 int32
ReplicationControllerStatus replicas=1 int32;fullyLabeledReplicas?=2 int32;observedGeneration?=3 int64;readyReplicas?=4 int32;availableReplicas?=5 int32;conditions?=6 []ReplicationControllerCondition
ResourceClaim name=1 string;request?=2 string
ResourceFieldSelector containerName?=1 string;resource=2 string;divisor?=3 $Quantity
ResourceHealth resourceID=1 string;health?=2 string;message?=6 *string
ResourceQuota metadata?=1 meta/v1.ObjectMeta;spec?=2 ResourceQuotaSpec;status?=3 ResourceQuotaStatus
ResourceQuotaList metadata?=1 meta/v1.ListMeta;items=2 []ResourceQuota
ResourceQuotaSpec hard?=1 {}$Quantity;scopes?=2 []string;scopeSelector?=3 *ScopeSelector
ResourceQuotaStatus hard?=1 {}$Quantity;used?=2 {}$Quantity
ResourceRequirements limits?=1 {}$Quantity;requests?=2 {}$Quantity;claims?=3 []ResourceClaim
ResourceStatus name=1 string;resources?=2 []ResourceHealth
SELinuxOptions user?=1 string;role?=2 string;type?=3 string;level?=4 string
ScaleIOPersistentVolumeSource gateway=1 string;system=2 string;secretRef=3 *SecretReference;sslEnabled?=4 bool;protectionDomain?=5 string;storagePool?=6 string;storageMode?=7 string;volumeName?=8 string;fsType?=9 string;readOnly?=10 bool
ScaleIOVolumeSource gateway=1 string;system=2 string;secretRef=3 *LocalObjectReference;sslEnabled?=4 bool;protectionDomain?=5 string;storagePool?=6 string;storageMode?=7 string;volumeName?=8 string;fsType?=9 string;readOnly?=10 bool
ScopeSelector matchExpressions?=1 []ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement scopeName=1 string;operator=2 string;values?=3 []string
SeccompProfile type=1 string;localhostProfile?=2 *string
Secret metadata?=1 meta/v1.ObjectMeta;data?=2 {}bytes;type?=3 string;stringData?=4 {}string;immutable?=5 *bool
SecretEnvSource =1 LocalObjectReference;optional?=2 *bool
SecretKeySelector =1 LocalObjectReference;key=2 string;optional?=3 *bool
SecretList metadata?=1 meta/v1.ListMeta;items=2 []Secret
SecretProjection =1 LocalObjectReference;items?=2 []KeyToPath;optional?=4 *bool
SecretReference name?=1 string;namespace?=2 string
SecretVolumeSource secretName?=1 string;items?=2 []KeyToPath;defaultMode?=3 *int32;optional?=4 *bool;defaultUser?=5 *int64
SecurityContext capabilities?=1 *Capabilities;privileged?=2 *bool;seLinuxOptions?=3 *SELinuxOptions;runAsUser?=4 *int64;runAsNonRoot?=5 *bool;readOnlyRootFilesystem?=6 *bool;allowPrivilegeEscalation?=7 *bool;runAsGroup?=8 *int64;procMount?=9 *string;windowsOptions?=10 *WindowsSecurityContextOptions;seccompProfile?=11 *SeccompProfile;appArmorProfile?=12 *AppArmorProfile
SerializedReference reference?=1 ObjectReference
Service metadata?=1 meta/v1.ObjectMeta;spec?=2 ServiceSpec;status?=3 ServiceStatus
ServiceAccount metadata?=1 meta/v1.ObjectMeta;secrets?=2 []ObjectReference;imagePullSecrets?=3 []LocalObjectReference;automountServiceAccountToken?=4 *bool
ServiceAccountList metadata?=1 meta/v1.ListMeta;items=2 []ServiceAccount
ServiceAccountTokenProjection audience?=1 string;expirationSeconds?=2 *int64;path=3 string;user?=4 *int64
ServiceList metadata?=1 meta/v1.ListMeta;items=2 []Service
ServicePort name?=1 string;protocol?=2 string;port=3 int32;targetPort?=4 $IntOrString;nodePort?=5 int32;appProtocol?=6 *string
ServiceProxyOptions path?=1 string
ServiceSpec ports?=1 []ServicePort;selector?=2 {}string;clusterIP?=3 string;type?=4 string;externalIPs?=5 []string;sessionAffinity?=7 string;loadBalancerIP?=8 string;loadBalancerSourceRanges?=9 []string;externalName?=10 string;externalTrafficPolicy?=11 string;healthCheckNodePort?=12 int32;publishNotReadyAddresses?=13 bool;sessionAffinityConfig?=14 *SessionAffinityConfig;ipFamilyPolicy?=17 *string;clusterIPs?=18 []string;ipFamilies?=19 []string;allocateLoadBalancerNodePorts?=20 *bool;loadBalancerClass?=21 *string;internalTrafficPolicy?=22 *string;trafficDistribution?=23 *string
ServiceStatus loadBalancer?=1 LoadBalancerStatus;conditions?=2 []meta/v1.Condition
SessionAffinityConfig clientIP?=1 *ClientIPConfig
SleepAction seconds=1 int64
StorageOSPersistentVolumeSource volumeName?=1 string;volumeNamespace?=2 string;fsType?=3 string;readOnly?=4 bool;secretRef?=5 *ObjectReference
StorageOSVolumeSource volumeName?=1 string;volumeNamespace?=2 string;fsType?=3 string;readOnly?=4 bool;secretRef?=5 *LocalObjectReference
Sysctl name=1 string;value=2 string
TCPSocketAction port=1 $IntOrString;host?=2 string
Taint key=1 string;value?=2 string;effect=3 string;timeAdded?=4 *$Time
Toleration key?=1 string;operator?=2 string;value?=3 string;effect?=4 string;tolerationSeconds?=5 *int64
TopologySelectorLabelRequirement key=1 string;values=2 []string
TopologySelectorTerm matchLabelExpressions?=1 []TopologySelectorLabelRequirement
TopologySpreadConstraint maxSkew=1 int32;topologyKey=2 string;whenUnsatisfiable=3 string;labelSelector?=4 *meta/v1.LabelSelector;minDomains?=5 *int32;nodeAffinityPolicy?=6 *string;nodeTaintsPolicy?=7 *string;matchLabelKeys?=8 []string
TypedLocalObjectReference apiGroup=1 *string;kind=2 string;name=3 string
TypedObjectReference apiGroup=1 *string;kind=2 string;name=3 string;namespace?=4 *string
Volume name=1 string;=2 VolumeSource
VolumeDevice name=1 string;devicePath=2 string
VolumeHealthCondition status=1 string;reason=2 string;message?=3 string
VolumeHealthStatus healthConditions?=1 []VolumeHealthCondition;lastTransitionTime?=2 $Time
VolumeMount name=1 string;readOnly?=2 bool;mountPath=3 string;subPath?=4 string;mountPropagation?=5 *string;subPathExpr?=6 string;recursiveReadOnly?=7 *string;bindMountOptions?=8 []string
VolumeMountStatus name=1 string;mountPath=2 string;readOnly?=3 bool;recursiveReadOnly?=4 *string;volumeStatus?=5 *VolumeStatus
VolumeNodeAffinity required?=1 *NodeSelector
VolumeProjection secret?=1 *SecretProjection;downwardAPI?=2 *DownwardAPIProjection;configMap?=3 *ConfigMapProjection;serviceAccountToken?=4 *ServiceAccountTokenProjection;clusterTrustBundle?=5 *ClusterTrustBundleProjection;podCertificate?=6 *PodCertificateProjection
VolumeResourceRequirements limits?=1 {}$Quantity;requests?=2 {}$Quantity
VolumeSource hostPath?=1 *HostPathVolumeSource;emptyDir?=2 *EmptyDirVolumeSource;gcePersistentDisk?=3 *GCEPersistentDiskVolumeSource;awsElasticBlockStore?=4 *AWSElasticBlockStoreVolumeSource;gitRepo?=5 *GitRepoVolumeSource;secret?=6 *SecretVolumeSource;nfs?=7 *NFSVolumeSource;iscsi?=8 *ISCSIVolumeSource;glusterfs?=9 *GlusterfsVolumeSource;persistentVolumeClaim?=10 *PersistentVolumeClaimVolumeSource;rbd?=11 *RBDVolumeSource;flexVolume?=12 *FlexVolumeSource;cinder?=13 *CinderVolumeSource;cephfs?=14 *CephFSVolumeSource;flocker?=15 *FlockerVolumeSource;downwardAPI?=16 *DownwardAPIVolumeSource;fc?=17 *FCVolumeSource;azureFile?=18 *AzureFileVolumeSource;configMap?=19 *ConfigMapVolumeSource;vsphereVolume?=20 *VsphereVirtualDiskVolumeSource;quobyte?=21 *QuobyteVolumeSource;azureDisk?=22 *AzureDiskVolumeSource;photonPersistentDisk?=23 *PhotonPersistentDiskVolumeSource;portworxVolume?=24 *PortworxVolumeSource;scaleIO?=25 *ScaleIOVolumeSource;projected?=26 *ProjectedVolumeSource;storageos?=27 *StorageOSVolumeSource;csi?=28 *CSIVolumeSource;ephemeral?=29 *EphemeralVolumeSource;image?=30 *ImageVolumeSource
VolumeStatus image?=1 *ImageVolumeStatus
VsphereVirtualDiskVolumeSource volumePath=1 string;fsType?=2 string;storagePolicyName?=3 string;storagePolicyID?=4 string
WeightedPodAffinityTerm weight=1 int32;podAffinityTerm=2 PodAffinityTerm
WindowsSecurityContextOptions gmsaCredentialSpecName?=1 *string;gmsaCredentialSpec?=2 *string;runAsUserName?=3 *string;hostProcess?=4 *bool
WorkloadReference name=1 string;podGroup=2 string;podGroupReplicaKey?=3 string
discovery.k8s.io/v1
Endpoint addresses=1 []string;conditions?=2 EndpointConditions;hostname?=3 *string;targetRef?=4 *core/v1.ObjectReference;deprecatedTopology?=5 {}string;nodeName?=6 *string;zone?=7 *string;hints?=8 *EndpointHints
EndpointConditions ready?=1 *bool;serving?=2 *bool;terminating?=3 *bool
EndpointHints forZones?=1 []ForZone;forNodes?=2 []ForNode
EndpointPort name?=1 *string;protocol?=2 *string;port?=3 *int32;appProtocol?=4 *string
EndpointSlice metadata?=1 meta/v1.ObjectMeta;endpoints=2 []Endpoint;ports=3 []EndpointPort;addressType=4 string
EndpointSliceList metadata?=1 meta/v1.ListMeta;items=2 []EndpointSlice
ForNode name=1 string
ForZone name=1 string
discovery.k8s.io/v1beta1
Endpoint addresses=1 []string;conditions?=2 EndpointConditions;hostname?=3 *string;targetRef?=4 *core/v1.ObjectReference;topology?=5 {}string;nodeName?=6 *string;hints?=7 *EndpointHints
EndpointConditions ready?=1 *bool;serving?=2 *bool;terminating?=3 *bool
EndpointHints forZones?=1 []ForZone;forNodes?=2 []ForNode
EndpointPort name?=1 *string;protocol?=2 *string;port?=3 *int32;appProtocol?=4 *string
EndpointSlice metadata?=1 meta/v1.ObjectMeta;endpoints=2 []Endpoint;ports=3 []EndpointPort;addressType=4 string
EndpointSliceList metadata?=1 meta/v1.ListMeta;items=2 []EndpointSlice
ForNode name=1 string
ForZone name=1 string
events.k8s.io/v1
Event metadata=1 meta/v1.ObjectMeta;eventTime=2 $MicroTime;series?=3 *EventSeries;reportingController?=4 string;reportingInstance?=5 string;action?=6 string;reason?=7 string;regarding?=8 core/v1.ObjectReference;related?=9 *core/v1.ObjectReference;note?=10 string;type?=11 string;deprecatedSource?=12 core/v1.EventSource;deprecatedFirstTimestamp?=13 $Time;deprecatedLastTimestamp?=14 $Time;deprecatedCount?=15 int32
EventList metadata?=1 meta/v1.ListMeta;items=2 []Event
EventSeries count=1 int32;lastObservedTime=2 $MicroTime
events.k8s.io/v1beta1
Event metadata=1 meta/v1.ObjectMeta;eventTime=2 $MicroTime;series?=3 *EventSeries;reportingController?=4 string;reportingInstance?=5 string;action?=6 string;reason?=7 string;regarding?=8 core/v1.ObjectReference;related?=9 *core/v1.ObjectReference;note?=10 string;type?=11 string;deprecatedSource?=12 core/v1.EventSource;deprecatedFirstTimestamp?=13 $Time;deprecatedLastTimestamp?=14 $Time;deprecatedCount?=15 int32
EventList metadata?=1 meta/v1.ListMeta;items=2 []Event
EventSeries count=1 int32;lastObservedTime=2 $MicroTime
extensions/v1beta1
DaemonSet metadata?=1 meta/v1.ObjectMeta;spec?=2 DaemonSetSpec;status?=3 DaemonSetStatus
DaemonSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
DaemonSetList metadata?=1 meta/v1.ListMeta;items=2 []DaemonSet
DaemonSetSpec selector?=1 *meta/v1.LabelSelector;template=2 core/v1.PodTemplateSpec;updateStrategy?=3 DaemonSetUpdateStrategy;minReadySeconds?=4 int32;templateGeneration?=5 int64;revisionHistoryLimit?=6 *int32
DaemonSetStatus currentNumberScheduled=1 int32;numberMisscheduled=2 int32;desiredNumberScheduled=3 int32;numberReady=4 int32;observedGeneration?=5 int64;updatedNumberScheduled?=6 int32;numberAvailable?=7 int32;numberUnavailable?=8 int32;collisionCount?=9 *int32;conditions?=10 []DaemonSetCondition
DaemonSetUpdateStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateDaemonSet
Deployment metadata?=1 meta/v1.ObjectMeta;spec?=2 DeploymentSpec;status?=3 DeploymentStatus
DeploymentCondition type=1 string;status=2 string;reason?=4 string;message?=5 string;lastUpdateTime?=6 $Time;lastTransitionTime?=7 $Time
DeploymentList metadata?=1 meta/v1.ListMeta;items=2 []Deployment
DeploymentRollback name=1 string;updatedAnnotations?=2 {}string;rollbackTo=3 RollbackConfig
DeploymentSpec replicas?=1 *int32;selector?=2 *meta/v1.LabelSelector;template=3 core/v1.PodTemplateSpec;strategy?=4 DeploymentStrategy;minReadySeconds?=5 int32;revisionHistoryLimit?=6 *int32;paused?=7 bool;rollbackTo?=8 *RollbackConfig;progressDeadlineSeconds?=9 *int32
DeploymentStatus observedGeneration?=1 int64;replicas?=2 int32;updatedReplicas?=3 int32;availableReplicas?=4 int32;unavailableReplicas?=5 int32;conditions?=6 []DeploymentCondition;readyReplicas?=7 int32;collisionCount?=8 *int32;terminatingReplicas?=9 *int32
DeploymentStrategy type?=1 string;rollingUpdate?=2 *RollingUpdateDeployment
HTTPIngressPath path?=1 string;backend=2 IngressBackend;pathType?=3 *string
HTTPIngressRuleValue paths=1 []HTTPIngressPath
IPBlock cidr=1 string;except?=2 []string
Ingress metadata?=1 meta/v1.ObjectMeta;spec?=2 IngressSpec;status?=3 IngressStatus
IngressBackend serviceName?=1 string;servicePort?=2 $IntOrString;resource?=3 *core/v1.TypedLocalObjectReference
IngressList metadata?=1 meta/v1.ListMeta;items=2 []Ingress
IngressLoadBalancerIngress ip?=1 string;hostname?=2 string;ports?=4 []IngressPortStatus
IngressLoadBalancerStatus ingress?=1 []IngressLoadBalancerIngress
IngressPortStatus port=1 int32;protocol=2 string;error?=3 *string
IngressRule host?=1 string;=2 IngressRuleValue
IngressRuleValue http?=1 *HTTPIngressRuleValue
IngressSpec backend?=1 *IngressBackend;tls?=2 []IngressTLS;rules?=3 []IngressRule;ingressClassName?=4 *string
IngressStatus loadBalancer?=1 IngressLoadBalancerStatus
IngressTLS hosts?=1 []string;secretName?=2 string
NetworkPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 NetworkPolicySpec
NetworkPolicyEgressRule ports?=1 []NetworkPolicyPort;to?=2 []NetworkPolicyPeer
NetworkPolicyIngressRule ports?=1 []NetworkPolicyPort;from?=2 []NetworkPolicyPeer
NetworkPolicyList metadata?=1 meta/v1.ListMeta;items=2 []NetworkPolicy
NetworkPolicyPeer podSelector?=1 *meta/v1.LabelSelector;namespaceSelector?=2 *meta/v1.LabelSelector;ipBlock?=3 *IPBlock
NetworkPolicyPort protocol?=1 *string;port?=2 *$IntOrString;endPort?=3 *int32
NetworkPolicySpec podSelector=1 meta/v1.LabelSelector;ingress?=2 []NetworkPolicyIngressRule;egress?=3 []NetworkPolicyEgressRule;policyTypes?=4 []string
ReplicaSet metadata?=1 meta/v1.ObjectMeta;spec?=2 ReplicaSetSpec;status?=3 ReplicaSetStatus
ReplicaSetCondition type=1 string;status=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
ReplicaSetList metadata?=1 meta/v1.ListMeta;items=2 []ReplicaSet
ReplicaSetSpec replicas?=1 *int32;selector?=2 *meta/v1.LabelSelector;template?=3 core/v1.PodTemplateSpec;minReadySeconds?=4 int32
ReplicaSetStatus replicas=1 int32;fullyLabeledReplicas?=2 int32;observedGeneration?=3 int64;readyReplicas?=4 int32;availableReplicas?=5 int32;conditions?=6 []ReplicaSetCondition;terminatingReplicas?=7 *int32
RollbackConfig revision?=1 int64
RollingUpdateDaemonSet maxUnavailable?=1 *$IntOrString;maxSurge?=2 *$IntOrString
RollingUpdateDeployment maxUnavailable?=1 *$IntOrString;maxSurge?=2 *$IntOrString
Scale metadata?=1 meta/v1.ObjectMeta;spec?=2 ScaleSpec;status?=3 ScaleStatus
ScaleSpec replicas?=1 int32
ScaleStatus replicas=1 int32;selector?=2 {}string;targetSelector?=3 string
flowcontrol.apiserver.k8s.io/v1
ExemptPriorityLevelConfiguration nominalConcurrencyShares?=1 *int32;lendablePercent?=2 *int32
FlowDistinguisherMethod type=1 string
FlowSchema metadata?=1 meta/v1.ObjectMeta;spec?=2 FlowSchemaSpec;status?=3 FlowSchemaStatus
FlowSchemaCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
FlowSchemaList metadata?=1 meta/v1.ListMeta;items=2 []FlowSchema
FlowSchemaSpec priorityLevelConfiguration=1 PriorityLevelConfigurationReference;matchingPrecedence=2 int32;distinguisherMethod?=3 *FlowDistinguisherMethod;rules?=4 []PolicyRulesWithSubjects
FlowSchemaStatus conditions?=1 []FlowSchemaCondition
GroupSubject name=1 string
LimitResponse type=1 string;queuing?=2 *QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares=1 *int32;limitResponse?=2 LimitResponse;lendablePercent?=3 *int32;borrowingLimitPercent?=4 *int32
NonResourcePolicyRule verbs=1 []string;nonResourceURLs=6 []string
PolicyRulesWithSubjects subjects=1 []Subject;resourceRules?=2 []ResourcePolicyRule;nonResourceRules?=3 []NonResourcePolicyRule
PriorityLevelConfiguration metadata?=1 meta/v1.ObjectMeta;spec?=2 PriorityLevelConfigurationSpec;status?=3 PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
PriorityLevelConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []PriorityLevelConfiguration
PriorityLevelConfigurationReference name=1 string
PriorityLevelConfigurationSpec type=1 string;limited?=2 *LimitedPriorityLevelConfiguration;exempt?=3 *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions?=1 []PriorityLevelConfigurationCondition
QueuingConfiguration queues=1 int32;handSize=2 int32;queueLengthLimit=3 int32
ResourcePolicyRule verbs=1 []string;apiGroups=2 []string;resources=3 []string;clusterScope?=4 bool;namespaces=5 []string
ServiceAccountSubject namespace=1 string;name=2 string
Subject kind=1 string;user?=2 *UserSubject;group?=3 *GroupSubject;serviceAccount?=4 *ServiceAccountSubject
UserSubject name=1 string
flowcontrol.apiserver.k8s.io/v1beta1
ExemptPriorityLevelConfiguration nominalConcurrencyShares?=1 *int32;lendablePercent?=2 *int32
FlowDistinguisherMethod type=1 string
FlowSchema metadata?=1 meta/v1.ObjectMeta;spec?=2 FlowSchemaSpec;status?=3 FlowSchemaStatus
FlowSchemaCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
FlowSchemaList metadata?=1 meta/v1.ListMeta;items=2 []FlowSchema
FlowSchemaSpec priorityLevelConfiguration=1 PriorityLevelConfigurationReference;matchingPrecedence=2 int32;distinguisherMethod?=3 *FlowDistinguisherMethod;rules?=4 []PolicyRulesWithSubjects
FlowSchemaStatus conditions?=1 []FlowSchemaCondition
GroupSubject name=1 string
LimitResponse type=1 string;queuing?=2 *QueuingConfiguration
LimitedPriorityLevelConfiguration assuredConcurrencyShares=1 int32;limitResponse?=2 LimitResponse;lendablePercent?=3 *int32;borrowingLimitPercent?=4 *int32
NonResourcePolicyRule verbs=1 []string;nonResourceURLs=6 []string
PolicyRulesWithSubjects subjects=1 []Subject;resourceRules?=2 []ResourcePolicyRule;nonResourceRules?=3 []NonResourcePolicyRule
PriorityLevelConfiguration metadata?=1 meta/v1.ObjectMeta;spec?=2 PriorityLevelConfigurationSpec;status?=3 PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
PriorityLevelConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []PriorityLevelConfiguration
PriorityLevelConfigurationReference name=1 string
PriorityLevelConfigurationSpec type=1 string;limited?=2 *LimitedPriorityLevelConfiguration;exempt?=3 *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions?=1 []PriorityLevelConfigurationCondition
QueuingConfiguration queues=1 int32;handSize=2 int32;queueLengthLimit=3 int32
ResourcePolicyRule verbs=1 []string;apiGroups=2 []string;resources=3 []string;clusterScope?=4 bool;namespaces=5 []string
ServiceAccountSubject namespace=1 string;name=2 string
Subject kind=1 string;user?=2 *UserSubject;group?=3 *GroupSubject;serviceAccount?=4 *ServiceAccountSubject
UserSubject name=1 string
flowcontrol.apiserver.k8s.io/v1beta2
ExemptPriorityLevelConfiguration nominalConcurrencyShares?=1 *int32;lendablePercent?=2 *int32
FlowDistinguisherMethod type=1 string
FlowSchema metadata?=1 meta/v1.ObjectMeta;spec?=2 FlowSchemaSpec;status?=3 FlowSchemaStatus
FlowSchemaCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
FlowSchemaList metadata?=1 meta/v1.ListMeta;items=2 []FlowSchema
FlowSchemaSpec priorityLevelConfiguration=1 PriorityLevelConfigurationReference;matchingPrecedence=2 int32;distinguisherMethod?=3 *FlowDistinguisherMethod;rules?=4 []PolicyRulesWithSubjects
FlowSchemaStatus conditions?=1 []FlowSchemaCondition
GroupSubject name=1 string
LimitResponse type=1 string;queuing?=2 *QueuingConfiguration
LimitedPriorityLevelConfiguration assuredConcurrencyShares=1 int32;limitResponse?=2 LimitResponse;lendablePercent?=3 *int32;borrowingLimitPercent?=4 *int32
NonResourcePolicyRule verbs=1 []string;nonResourceURLs=6 []string
PolicyRulesWithSubjects subjects=1 []Subject;resourceRules?=2 []ResourcePolicyRule;nonResourceRules?=3 []NonResourcePolicyRule
PriorityLevelConfiguration metadata?=1 meta/v1.ObjectMeta;spec?=2 PriorityLevelConfigurationSpec;status?=3 PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
PriorityLevelConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []PriorityLevelConfiguration
PriorityLevelConfigurationReference name=1 string
PriorityLevelConfigurationSpec type=1 string;limited?=2 *LimitedPriorityLevelConfiguration;exempt?=3 *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions?=1 []PriorityLevelConfigurationCondition
QueuingConfiguration queues=1 int32;handSize=2 int32;queueLengthLimit=3 int32
ResourcePolicyRule verbs=1 []string;apiGroups=2 []string;resources=3 []string;clusterScope?=4 bool;namespaces=5 []string
ServiceAccountSubject namespace=1 string;name=2 string
Subject kind=1 string;user?=2 *UserSubject;group?=3 *GroupSubject;serviceAccount?=4 *ServiceAccountSubject
UserSubject name=1 string
flowcontrol.apiserver.k8s.io/v1beta3
ExemptPriorityLevelConfiguration nominalConcurrencyShares?=1 *int32;lendablePercent?=2 *int32
FlowDistinguisherMethod type=1 string
FlowSchema metadata?=1 meta/v1.ObjectMeta;spec?=2 FlowSchemaSpec;status?=3 FlowSchemaStatus
FlowSchemaCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
FlowSchemaList metadata?=1 meta/v1.ListMeta;items=2 []FlowSchema
FlowSchemaSpec priorityLevelConfiguration=1 PriorityLevelConfigurationReference;matchingPrecedence=2 int32;distinguisherMethod?=3 *FlowDistinguisherMethod;rules?=4 []PolicyRulesWithSubjects
FlowSchemaStatus conditions?=1 []FlowSchemaCondition
GroupSubject name=1 string
LimitResponse type=1 string;queuing?=2 *QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares=1 int32;limitResponse?=2 LimitResponse;lendablePercent?=3 *int32;borrowingLimitPercent?=4 *int32
NonResourcePolicyRule verbs=1 []string;nonResourceURLs=6 []string
PolicyRulesWithSubjects subjects=1 []Subject;resourceRules?=2 []ResourcePolicyRule;nonResourceRules?=3 []NonResourcePolicyRule
PriorityLevelConfiguration metadata?=1 meta/v1.ObjectMeta;spec?=2 PriorityLevelConfigurationSpec;status?=3 PriorityLevelConfigurationStatus
PriorityLevelConfigurationCondition type?=1 string;status?=2 string;lastTransitionTime?=3 $Time;reason?=4 string;message?=5 string
PriorityLevelConfigurationList metadata?=1 meta/v1.ListMeta;items=2 []PriorityLevelConfiguration
PriorityLevelConfigurationReference name=1 string
PriorityLevelConfigurationSpec type=1 string;limited?=2 *LimitedPriorityLevelConfiguration;exempt?=3 *ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions?=1 []PriorityLevelConfigurationCondition
QueuingConfiguration queues=1 int32;handSize=2 int32;queueLengthLimit=3 int32
ResourcePolicyRule verbs=1 []string;apiGroups=2 []string;resources=3 []string;clusterScope?=4 bool;namespaces=5 []string
ServiceAccountSubject namespace=1 string;name=2 string
Subject kind=1 string;user?=2 *UserSubject;group?=3 *GroupSubject;serviceAccount?=4 *ServiceAccountSubject
UserSubject name=1 string
imagepolicy.k8s.io/v1alpha1
ImageReview metadata?=1 meta/v1.ObjectMeta;spec=2 ImageReviewSpec;status?=3 ImageReviewStatus
ImageReviewContainerSpec image?=1 string
ImageReviewSpec containers?=1 []ImageReviewContainerSpec;annotations?=2 {}string;namespace?=3 string
ImageReviewStatus allowed=1 bool;reason?=2 string;auditAnnotations?=3 {}string
internal.apiserver.k8s.io/v1alpha1
ServerStorageVersion apiServerID?=1 string;encodingVersion?=2 string;decodableVersions?=3 []string;servedVersions?=4 []string
StorageVersion metadata?=1 meta/v1.ObjectMeta;spec=2 StorageVersionSpec;status=3 StorageVersionStatus
StorageVersionCondition type=1 string;status=2 string;observedGeneration?=3 int64;lastTransitionTime?=4 $Time;reason=5 string;message?=6 string
StorageVersionList metadata?=1 meta/v1.ListMeta;items=2 []StorageVersion
StorageVersionSpec
StorageVersionStatus storageVersions?=1 []ServerStorageVersion;commonEncodingVersion?=2 *string;conditions?=3 []StorageVersionCondition
lifecycle.k8s.io/v1alpha1
Eviction metadata?=1 meta/v1.ObjectMeta;spec=2 EvictionSpec;status?=3 EvictionStatus
EvictionList metadata?=1 meta/v1.ListMeta;items=2 []Eviction
EvictionPodReference name=1 string;uid=2 string
EvictionRequest metadata?=1 meta/v1.ObjectMeta;spec=2 EvictionRequestSpec;status?=3 EvictionRequestStatus
EvictionRequestList metadata?=1 meta/v1.ListMeta;items=2 []EvictionRequest
EvictionRequestPodReference name=1 string;uid=2 string
EvictionRequestSpec target=1 EvictionRequestTarget;requester=2 string;intent=3 string
EvictionRequestStatus conditions?=1 []meta/v1.Condition;observedGeneration?=2 *int64
EvictionRequestTarget pod?=1 *EvictionRequestPodReference
EvictionSpec target=1 EvictionTarget
EvictionStatus conditions?=1 []meta/v1.Condition;observedGeneration?=2 *int64;requesters?=3 []Requester;targetResponders?=4 []TargetResponder;responders?=5 []ResponderStatus
EvictionTarget pod?=1 *EvictionPodReference
Requester name=1 string;intent=2 string
ResponderStatus name=1 string;startTime?=2 *$Time;heartbeatTime?=3 *$Time;expectedCompletionTime?=4 *$Time;completionTime?=5 *$Time;message?=6 *string
TargetResponder name=1 string;priority=2 *int32;state=3 string
meta/v1
APIGroup name=1 string;versions=2 []GroupVersionForDiscovery;preferredVersion?=3 GroupVersionForDiscovery;serverAddressByClientCIDRs?=4 []ServerAddressByClientCIDR
APIGroupList groups=1 []APIGroup
APIResource name=1 string;namespaced=2 bool;kind=3 string;verbs=4 *Verbs;shortNames?=5 []string;singularName=6 string;categories?=7 []string;group?=8 string;version?=9 string;storageVersionHash?=10 string
APIResourceList groupVersion=1 string;resources=2 []APIResource
APIVersions versions=1 []string;serverAddressByClientCIDRs=2 []ServerAddressByClientCIDR
ApplyOptions dryRun?=1 []string;force=2 bool;fieldManager=3 string
Condition type=1 string;status=2 string;observedGeneration?=3 int64;lastTransitionTime=4 $Time;reason=5 string;message=6 string
CreateOptions dryRun?=1 []string;fieldManager?=3 string;fieldValidation?=4 string
DeleteOptions gracePeriodSeconds?=1 *int64;preconditions?=2 *Preconditions;orphanDependents?=3 *bool;propagationPolicy?=4 *string;dryRun?=5 []string;ignoreStoreReadErrorWithClusterBreakingPotential?=6 *bool
FieldSelectorRequirement key=1 string;operator=2 string;values?=3 []string
GetOptions resourceVersion?=1 string
GroupKind group=1 string;kind=2 string
GroupResource group=1 string;resource=2 string
GroupVersionForDiscovery groupVersion=1 string;version=2 string
GroupVersionKind group=1 string;version=2 string;kind=3 string
GroupVersionResource group=1 string;version=2 string;resource=3 string
LabelSelector matchLabels?=1 {}string;matchExpressions?=2 []LabelSelectorRequirement
LabelSelectorRequirement key=1 string;operator=2 string;values?=3 []string
List metadata?=1 ListMeta;items=2 []$RawExtension
ListMeta selfLink?=1 string;resourceVersion?=2 string;continue?=3 string;remainingItemCount?=4 *int64;shardInfo?=5 *ShardInfo
ListOptions labelSelector?=1 string;fieldSelector?=2 string;watch?=3 bool;resourceVersion?=4 string;timeoutSeconds?=5 *int64;limit?=7 int64;continue?=8 string;allowWatchBookmarks?=9 bool;resourceVersionMatch?=10 string;sendInitialEvents?=11 *bool;shardSelector?=15 string
ManagedFieldsEntry manager?=1 string;operation?=2 string;apiVersion?=3 string;time?=4 *$Time;fieldsType?=6 string;fieldsV1?=7 *$FieldsV1;subresource?=8 string
ObjectMeta name?=1 string;generateName?=2 string;namespace?=3 string;selfLink?=4 string;uid?=5 string;resourceVersion?=6 string;generation?=7 int64;creationTimestamp??=8 $Time;deletionTimestamp?=9 *$Time;deletionGracePeriodSeconds?=10 *int64;labels?=11 {}string;annotations?=12 {}string;ownerReferences?=13 []OwnerReference;finalizers?=14 []string;managedFields?=17 []ManagedFieldsEntry
OwnerReference kind=1 string;name=3 string;uid=4 string;apiVersion=5 string;controller?=6 *bool;blockOwnerDeletion?=7 *bool
PartialObjectMetadata metadata?=1 ObjectMeta
PartialObjectMetadataList metadata?=1 ListMeta;items=2 []PartialObjectMetadata
Patch
PatchOptions dryRun?=1 []string;force?=2 *bool;fieldManager?=3 string;fieldValidation?=4 string
Preconditions uid?=1 *string;resourceVersion?=2 *string
RootPaths paths=1 []string
ServerAddressByClientCIDR clientCIDR=1 string;serverAddress=2 string
ShardInfo selector=1 string
Status metadata?=1 ListMeta;status?=2 string;message?=3 string;reason?=4 string;details?=5 *StatusDetails;code?=6 int32
StatusCause reason?=1 string;message?=2 string;field?=3 string
StatusDetails name?=1 string;group?=2 string;kind?=3 string;causes?=4 []StatusCause;retryAfterSeconds?=5 int32;uid?=6 string
TableOptions includeObject?=1 string
Timestamp seconds=1 int64;nanos=2 int32
TypeMeta kind?=1 string;apiVersion?=2 string
UpdateOptions dryRun?=1 []string;fieldManager?=2 string;fieldValidation?=3 string
Verbs[] items=1 []string
WatchEvent type=1 string;object=2 $RawExtension
meta/v1beta1
PartialObjectMetadataList items=1 []meta/v1.PartialObjectMetadata;metadata?=2 meta/v1.ListMeta
networking.k8s.io/v1
HTTPIngressPath path?=1 string;backend=2 IngressBackend;pathType=3 *string
HTTPIngressRuleValue paths=1 []HTTPIngressPath
IPAddress metadata?=1 meta/v1.ObjectMeta;spec?=2 IPAddressSpec
IPAddressList metadata?=1 meta/v1.ListMeta;items=2 []IPAddress
IPAddressSpec parentRef?=1 *ParentReference
IPBlock cidr=1 string;except?=2 []string
Ingress metadata?=1 meta/v1.ObjectMeta;spec?=2 IngressSpec;status?=3 IngressStatus
IngressBackend resource?=3 *core/v1.TypedLocalObjectReference;service?=4 *IngressServiceBackend
IngressClass metadata?=1 meta/v1.ObjectMeta;spec?=2 IngressClassSpec
IngressClassList metadata?=1 meta/v1.ListMeta;items=2 []IngressClass
IngressClassParametersReference apiGroup?=1 *string;kind=2 string;name=3 string;scope=4 *string;namespace?=5 *string
IngressClassSpec controller?=1 string;parameters?=2 *IngressClassParametersReference
IngressList metadata?=1 meta/v1.ListMeta;items=2 []Ingress
IngressLoadBalancerIngress ip?=1 string;hostname?=2 string;ports?=4 []IngressPortStatus
IngressLoadBalancerStatus ingress?=1 []IngressLoadBalancerIngress
IngressPortStatus port=1 int32;protocol=2 string;error?=3 *string
IngressRule host?=1 string;=2 IngressRuleValue
IngressRuleValue http?=1 *HTTPIngressRuleValue
IngressServiceBackend name=1 string;port?=2 ServiceBackendPort
IngressSpec defaultBackend?=1 *IngressBackend;tls?=2 []IngressTLS;rules?=3 []IngressRule;ingressClassName?=4 *string
IngressStatus loadBalancer?=1 IngressLoadBalancerStatus
IngressTLS hosts?=1 []string;secretName?=2 string
NetworkPolicy metadata?=1 meta/v1.ObjectMeta;spec?=2 NetworkPolicySpec
NetworkPolicyEgressRule ports?=1 []NetworkPolicyPort;to?=2 []NetworkPolicyPeer
NetworkPolicyIngressRule ports?=1 []NetworkPolicyPort;from?=2 []NetworkPolicyPeer
NetworkPolicyList metadata?=1 meta/v1.ListMeta;items=2 []NetworkPolicy
NetworkPolicyPeer podSelector?=1 *meta/v1.LabelSelector;namespaceSelector?=2 *meta/v1.LabelSelector;ipBlock?=3 *IPBlock
NetworkPolicyPort protocol?=1 *string;port?=2 *$IntOrString;endPort?=3 *int32
NetworkPolicySpec podSelector=1 meta/v1.LabelSelector;ingress?=2 []NetworkPolicyIngressRule;egress?=3 []NetworkPolicyEgressRule;policyTypes?=4 []string
ParentReference group?=1 string;resource?=2 string;namespace?=3 string;name?=4 string
ServiceBackendPort name?=1 string;number?=2 int32
ServiceCIDR metadata?=1 meta/v1.ObjectMeta;spec?=2 ServiceCIDRSpec;status?=3 ServiceCIDRStatus
ServiceCIDRList metadata?=1 meta/v1.ListMeta;items=2 []ServiceCIDR
ServiceCIDRSpec cidrs?=1 []string
ServiceCIDRStatus conditions?=1 []meta/v1.Condition
networking.k8s.io/v1alpha1
IPAddress metadata?=1 meta/v1.ObjectMeta;spec?=2 IPAddressSpec
IPAddressList metadata?=1 meta/v1.ListMeta;items=2 []IPAddress
IPAddressSpec parentRef?=1 *ParentReference
ParentReference group?=1 string;resource?=2 string;namespace?=3 string;name?=4 string
ServiceCIDR metadata?=1 meta/v1.ObjectMeta;spec?=2 ServiceCIDRSpec;status?=3 ServiceCIDRStatus
ServiceCIDRList metadata?=1 meta/v1.ListMeta;items=2 []ServiceCIDR
ServiceCIDRSpec cidrs?=1 []string
ServiceCIDRStatus conditions?=1 []meta/v1.Condition
networking.k8s.io/v1beta1
HTTPIngressPath path?=1 string;backend=2 IngressBackend;pathType?=3 *string
HTTPIngressRuleValue paths=1 []HTTPIngressPath
IPAddress metadata?=1 meta/v1.ObjectMeta;spec?=2 IPAddressSpec
IPAddressList metadata?=1 meta/v1.ListMeta;items=2 []IPAddress
IPAddressSpec parentRef?=1 *ParentReference
Ingress metadata?=1 meta/v1.ObjectMeta;spec?=2 IngressSpec;status?=3 IngressStatus
IngressBackend serviceName?=1 string;servicePort?=2 $IntOrString;resource?=3 *core/v1.TypedLocalObjectReference
IngressClass metadata?=1 meta/v1.ObjectMeta;spec?=2 IngressClassSpec
IngressClassList metadata?=1 meta/v1.ListMeta;items=2 []IngressClass
IngressClassParametersReference apiGroup?=1 *string;kind=2 string;name=3 string;scope=4 *string;namespace?=5 *string
IngressClassSpec controller?=1 string;parameters?=2 *IngressClassParametersReference
IngressList metadata?=1 meta/v1.ListMeta;items=2 []Ingress
IngressLoadBalancerIngress ip?=1 string;hostname?=2 string;ports?=4 []IngressPortStatus
IngressLoadBalancerStatus ingress?=1 []IngressLoadBalancerIngress
IngressPortStatus port=1 int32;protocol=2 string;error?=3 *string
IngressRule host?=1 string;=2 IngressRuleValue
IngressRuleValue http?=1 *HTTPIngressRuleValue
IngressSpec backend?=1 *IngressBackend;tls?=2 []IngressTLS;rules?=3 []IngressRule;ingressClassName?=4 *string
IngressStatus loadBalancer?=1 IngressLoadBalancerStatus
IngressTLS hosts?=1 []string;secretName?=2 string
ParentReference group?=1 string;resource?=2 string;namespace?=3 string;name?=4 string
ServiceCIDR metadata?=1 meta/v1.ObjectMeta;spec?=2 ServiceCIDRSpec;status?=3 ServiceCIDRStatus
ServiceCIDRList metadata?=1 meta/v1.ListMeta;items=2 []ServiceCIDR
ServiceCIDRSpec cidrs?=1 []string
ServiceCIDRStatus conditions?=1 []meta/v1.Condition
node.k8s.io/v1
Overhead podFixed?=1 {}$Quantity
RuntimeClass metadata?=1 meta/v1.ObjectMeta;handler=2 string;overhead?=3 *Overhead;scheduling?=4 *Scheduling
RuntimeClassList metadata?=1 meta/v1.ListMeta;items=2 []RuntimeClass
Scheduling nodeSelector?=1 {}string;tolerations?=2 []core/v1.Toleration
node.k8s.io/v1alpha1
Overhead podFixed?=1 {}$Quantity
RuntimeClass metadata?=1 meta/v1.ObjectMeta;spec=2 RuntimeClassSpec
RuntimeClassList metadata?=1 meta/v1.ListMeta;items=2 []RuntimeClass
RuntimeClassSpec runtimeHandler=1 string;overhead?=2 *Overhead;scheduling?=3 *Scheduling
Scheduling nodeSelector?=1 {}string;tolerations?=2 []core/v1.Toleration
node.k8s.io/v1beta1
Overhead podFixed?=1 {}$Quantity
RuntimeClass metadata?=1 meta/v1.ObjectMeta;handler=2 string;overhead?=3 *Overhead;scheduling?=4 *Scheduling
RuntimeClassList metadata?=1 meta/v1.ListMeta;items=2 []RuntimeClass
Scheduling nodeSelector?=1 {}string;tolerations?=2 []core/v1.Toleration
policy/v1
Eviction metadata?=1 meta/v1.ObjectMeta;deleteOptions?=2 *meta/v1.DeleteOptions
PodDisruptionBudget metadata?=1 meta/v1.ObjectMeta;spec?=2 PodDisruptionBudgetSpec;status?=3 PodDisruptionBudgetStatus
PodDisruptionBudgetList metadata?=1 meta/v1.ListMeta;items=2 []PodDisruptionBudget
PodDisruptionBudgetSpec minAvailable?=1 *$IntOrString;selector?=2 *meta/v1.LabelSelector;maxUnavailable?=3 *$IntOrString;unhealthyPodEvictionPolicy?=4 *string
PodDisruptionBudgetStatus observedGeneration?=1 int64;disruptedPods?=2 {}$Time;disruptionsAllowed=3 int32;currentHealthy=4 int32;desiredHealthy=5 int32;expectedPods=6 int32;conditions?=7 []meta/v1.Condition
policy/v1beta1
Eviction metadata?=1 meta/v1.ObjectMeta;deleteOptions?=2 *meta/v1.DeleteOptions
PodDisruptionBudget metadata?=1 meta/v1.ObjectMeta;spec?=2 PodDisruptionBudgetSpec;status?=3 PodDisruptionBudgetStatus
PodDisruptionBudgetList metadata?=1 meta/v1.ListMeta;items=2 []PodDisruptionBudget
PodDisruptionBudgetSpec minAvailable?=1 *$IntOrString;selector?=2 *meta/v1.LabelSelector;maxUnavailable?=3 *$IntOrString;unhealthyPodEvictionPolicy?=4 *string
PodDisruptionBudgetStatus observedGeneration?=1 int64;disruptedPods?=2 {}$Time;disruptionsAllowed=3 int32;currentHealthy=4 int32;desiredHealthy=5 int32;expectedPods=6 int32;conditions?=7 []meta/v1.Condition
rbac.authorization.k8s.io/v1
AggregationRule clusterRoleSelectors?=1 []meta/v1.LabelSelector
ClusterRole metadata?=1 meta/v1.ObjectMeta;rules=2 []PolicyRule;aggregationRule?=3 *AggregationRule
ClusterRoleBinding metadata?=1 meta/v1.ObjectMeta;subjects?=2 []Subject;roleRef=3 RoleRef
ClusterRoleBindingList metadata?=1 meta/v1.ListMeta;items=2 []ClusterRoleBinding
ClusterRoleList metadata?=1 meta/v1.ListMeta;items=2 []ClusterRole
PolicyRule verbs=1 []string;apiGroups?=2 []string;resources?=3 []string;resourceNames?=4 []string;nonResourceURLs?=5 []string
Role metadata?=1 meta/v1.ObjectMeta;rules=2 []PolicyRule
RoleBinding metadata?=1 meta/v1.ObjectMeta;subjects?=2 []Subject;roleRef=3 RoleRef
RoleBindingList metadata?=1 meta/v1.ListMeta;items=2 []RoleBinding
RoleList metadata?=1 meta/v1.ListMeta;items=2 []Role
RoleRef apiGroup=1 string;kind=2 string;name=3 string
Subject kind=1 string;apiGroup?=2 string;name=3 string;namespace?=4 string
rbac.authorization.k8s.io/v1alpha1
AggregationRule clusterRoleSelectors?=1 []meta/v1.LabelSelector
ClusterRole metadata?=1 meta/v1.ObjectMeta;rules=2 []PolicyRule;aggregationRule?=3 *AggregationRule
ClusterRoleBinding metadata?=1 meta/v1.ObjectMeta;subjects?=2 []Subject;roleRef=3 RoleRef
ClusterRoleBindingList metadata?=1 meta/v1.ListMeta;items=2 []ClusterRoleBinding
ClusterRoleList metadata?=1 meta/v1.ListMeta;items=2 []ClusterRole
PolicyRule verbs=1 []string;apiGroups?=3 []string;resources?=4 []string;resourceNames?=5 []string;nonResourceURLs?=6 []string
Role metadata?=1 meta/v1.ObjectMeta;rules=2 []PolicyRule
RoleBinding metadata?=1 meta/v1.ObjectMeta;subjects?=2 []Subject;roleRef=3 RoleRef
RoleBindingList metadata?=1 meta/v1.ListMeta;items=2 []RoleBinding
RoleList metadata?=1 meta/v1.ListMeta;items=2 []Role
RoleRef apiGroup=1 string;kind=2 string;name=3 string
Subject kind=1 string;apiVersion?=2 string;name=3 string;namespace?=4 string
rbac.authorization.k8s.io/v1beta1
AggregationRule clusterRoleSelectors?=1 []meta/v1.LabelSelector
ClusterRole metadata?=1 meta/v1.ObjectMeta;rules=2 []PolicyRule;aggregationRule?=3 *AggregationRule
ClusterRoleBinding metadata?=1 meta/v1.ObjectMeta;subjects?=2 []Subject;roleRef=3 RoleRef
ClusterRoleBindingList metadata?=1 meta/v1.ListMeta;items=2 []ClusterRoleBinding
ClusterRoleList metadata?=1 meta/v1.ListMeta;items=2 []ClusterRole
PolicyRule verbs=1 []string;apiGroups?=2 []string;resources?=3 []string;resourceNames?=4 []string;nonResourceURLs?=5 []string
Role metadata?=1 meta/v1.ObjectMeta;rules=2 []PolicyRule
RoleBinding metadata?=1 meta/v1.ObjectMeta;subjects?=2 []Subject;roleRef=3 RoleRef
RoleBindingList metadata?=1 meta/v1.ListMeta;items=2 []RoleBinding
RoleList metadata?=1 meta/v1.ListMeta;items=2 []Role
RoleRef apiGroup=1 string;kind=2 string;name=3 string
Subject kind=1 string;apiGroup?=2 string;name=3 string;namespace?=4 string
resource.k8s.io/v1
AllocatedDeviceStatus driver=1 string;pool=2 string;device=3 string;conditions=4 []meta/v1.Condition;data?=5 *$RawExtension;networkData?=6 *NetworkDeviceData;shareID?=7 *string
AllocationResult devices?=1 DeviceAllocationResult;nodeSelector?=3 *core/v1.NodeSelector;allocationTimestamp?=5 *$Time
CELDeviceSelector expression=1 string
CapacityRequestPolicy default=1 *$Quantity;validValues?=3 []$Quantity;validRange?=4 *CapacityRequestPolicyRange
CapacityRequestPolicyRange min?=1 *$Quantity;max?=2 *$Quantity;step?=3 *$Quantity
CapacityRequirements requests?=1 {}$Quantity
Counter value=1 $Quantity
CounterSet name=1 string;counters?=2 {}Counter
Device name=1 string;attributes?=2 {}DeviceAttribute;capacity?=3 {}DeviceCapacity;consumesCounters?=4 []DeviceCounterConsumption;nodeName?=5 *string;nodeSelector?=6 *core/v1.NodeSelector;allNodes?=7 *bool;taints?=8 []DeviceTaint;bindsToNode?=9 *bool;bindingConditions?=10 []string;bindingFailureConditions?=11 []string;allowMultipleAllocations?=12 *bool;nodeAllocatableResourceMappings?=13 {}NodeAllocatableResourceMapping;nodeAllocatableResources?=14 {}NodeAllocatableResource
DeviceAllocationConfiguration source=1 string;requests?=2 []string;=3 DeviceConfiguration
DeviceAllocationResult results?=1 []DeviceRequestAllocationResult;config?=2 []DeviceAllocationConfiguration
DeviceAttribute int?=2 *int64;bool?=3 *bool;string?=4 *string;version?=5 *string;ints?=6 []int64;bools?=7 []bool;strings?=8 []string;versions?=9 []string
DeviceCapacity value=1 $Quantity;requestPolicy?=2 *CapacityRequestPolicy
DeviceClaim requests=1 []DeviceRequest;constraints?=2 []DeviceConstraint;config?=3 []DeviceClaimConfiguration
DeviceClaimConfiguration requests?=1 []string;=2 DeviceConfiguration
DeviceClass metadata?=1 meta/v1.ObjectMeta;spec=2 DeviceClassSpec
DeviceClassConfiguration =1 DeviceConfiguration
DeviceClassList metadata?=1 meta/v1.ListMeta;items=2 []DeviceClass
DeviceClassSpec selectors?=1 []DeviceSelector;config?=2 []DeviceClassConfiguration;extendedResourceName?=4 *string
DeviceConfiguration opaque?=1 *OpaqueDeviceConfiguration
DeviceConstraint requests?=1 []string;matchAttribute?=2 *string;distinctAttribute?=3 *string
DeviceCounterConsumption counterSet=1 string;counters?=2 {}Counter;compatibilityGroups?=3 []string
DeviceDerivedAttribute name=1 string;expression=2 string
DeviceRequest name=1 string;exactly?=2 *ExactDeviceRequest;firstAvailable?=3 []DeviceSubRequest
DeviceRequestAllocationResult request=1 string;driver=2 string;pool=3 string;device=4 string;adminAccess?=5 *bool;tolerations?=6 []DeviceToleration;bindingConditions?=7 []string;bindingFailureConditions?=8 []string;shareID?=9 *string;consumedCapacity?=10 {}$Quantity;skipNodeOperations?=11 []string
DeviceSelector cel?=1 *CELDeviceSelector
DeviceSubRequest name=1 string;deviceClassName=2 string;selectors?=3 []DeviceSelector;allocationMode?=4 string;count?=5 int64;tolerations?=6 []DeviceToleration;capacity?=7 *CapacityRequirements;derivedAttributes?=8 []DeviceDerivedAttribute
DeviceTaint key=1 string;value?=2 string;effect=3 string;timeAdded?=4 *$Time
DeviceTaintRule metadata?=1 meta/v1.ObjectMeta;spec=2 DeviceTaintRuleSpec;status?=3 DeviceTaintRuleStatus
DeviceTaintRuleList metadata?=1 meta/v1.ListMeta;items=2 []DeviceTaintRule
DeviceTaintRuleSpec deviceSelector?=1 *DeviceTaintSelector;taint?=2 DeviceTaint
DeviceTaintRuleStatus conditions?=1 []meta/v1.Condition
DeviceTaintSelector driver?=2 *string;pool?=3 *string;device?=4 *string
DeviceToleration key?=1 string;operator?=2 string;value?=3 string;effect?=4 string;tolerationSeconds?=5 *int64
ExactDeviceRequest deviceClassName=1 string;selectors?=2 []DeviceSelector;allocationMode?=3 string;count?=4 int64;adminAccess?=5 *bool;tolerations?=6 []DeviceToleration;capacity?=7 *CapacityRequirements;derivedAttributes?=8 []DeviceDerivedAttribute
NetworkDeviceData interfaceName?=1 string;ips?=2 []string;hardwareAddress?=3 string
NodeAllocatableMapping capacityKey?=1 *string;capacityMultiplier?=2 *$Quantity;deviceMultiplier?=3 *$Quantity
NodeAllocatableOverhead perPod?=1 *$Quantity;perContainer?=2 *$Quantity
NodeAllocatableResource mapping?=3 *NodeAllocatableMapping;overhead?=4 *NodeAllocatableOverhead
NodeAllocatableResourceMapping capacityKey?=1 *string;allocationMultiplier?=2 *$Quantity
OpaqueDeviceConfiguration driver=1 string;parameters=2 $RawExtension
ResourceClaim metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec;status?=3 ResourceClaimStatus
ResourceClaimConsumerReference apiGroup?=1 string;resource=3 string;name=4 string;uid=5 string
ResourceClaimList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaim
ResourceClaimSpec devices=1 DeviceClaim
ResourceClaimStatus allocation?=1 *AllocationResult;reservedFor?=2 []ResourceClaimConsumerReference;devices?=4 []AllocatedDeviceStatus
ResourceClaimTemplate metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimTemplateSpec
ResourceClaimTemplateList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaimTemplate
ResourceClaimTemplateSpec metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec
ResourcePool name=1 string;generation=2 int64;resourceSliceCount=3 int64
ResourceSlice metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceSliceSpec
ResourceSliceList metadata?=1 meta/v1.ListMeta;items=2 []ResourceSlice
ResourceSliceSpec driver=1 string;pool=2 ResourcePool;nodeName?=3 *string;nodeSelector?=4 *core/v1.NodeSelector;allNodes?=5 *bool;devices?=6 []Device;perDeviceNodeSelection?=7 *bool;sharedCounters?=8 []CounterSet;partitionTypeAttribute?=9 *string;skipNodeOperations?=10 []string
resource.k8s.io/v1alpha3
AllocatedDeviceStatus driver=1 string;pool=2 string;device=3 string;conditions=4 []meta/v1.Condition;data?=5 *$RawExtension;networkData?=6 *NetworkDeviceData
AllocationResult devices?=1 DeviceAllocationResult;nodeSelector?=3 *core/v1.NodeSelector;controller?=4 *string
BasicDevice attributes?=1 {}DeviceAttribute;capacity?=2 {}$Quantity;consumesCounters?=3 []DeviceCounterConsumption;nodeName?=4 *string;nodeSelector?=5 *core/v1.NodeSelector;allNodes?=6 *bool;taints?=7 []DeviceTaint
CELDeviceSelector expression=1 string
Counter value=1 $Quantity
CounterSet name=1 string;counters?=2 {}Counter
Device name=1 string;basic?=2 *BasicDevice
DeviceAllocationConfiguration source=1 string;requests?=2 []string;=3 DeviceConfiguration
DeviceAllocationResult results?=1 []DeviceRequestAllocationResult;config?=2 []DeviceAllocationConfiguration
DeviceAttribute int?=2 *int64;bool?=3 *bool;string?=4 *string;version?=5 *string
DeviceClaim requests=1 []DeviceRequest;constraints?=2 []DeviceConstraint;config?=3 []DeviceClaimConfiguration
DeviceClaimConfiguration requests?=1 []string;=2 DeviceConfiguration
DeviceClass metadata?=1 meta/v1.ObjectMeta;spec=2 DeviceClassSpec
DeviceClassConfiguration =1 DeviceConfiguration
DeviceClassList metadata?=1 meta/v1.ListMeta;items=2 []DeviceClass
DeviceClassSpec selectors?=1 []DeviceSelector;config?=2 []DeviceClassConfiguration;suitableNodes?=3 *core/v1.NodeSelector
DeviceConfiguration opaque?=1 *OpaqueDeviceConfiguration
DeviceConstraint requests?=1 []string;matchAttribute?=2 *string
DeviceCounterConsumption counterSet=1 string;counters?=2 {}Counter
DeviceRequest name=1 string;deviceClassName=2 string;selectors?=3 []DeviceSelector;allocationMode?=4 string;count?=5 int64;adminAccess?=6 *bool;firstAvailable?=7 []DeviceSubRequest;tolerations?=8 []DeviceToleration
DeviceRequestAllocationResult request=1 string;driver=2 string;pool=3 string;device=4 string;adminAccess=5 *bool;tolerations?=6 []DeviceToleration
DeviceSelector cel?=1 *CELDeviceSelector
DeviceSubRequest name=1 string;deviceClassName=2 string;selectors?=3 []DeviceSelector;allocationMode?=4 string;count?=5 int64;tolerations?=7 []DeviceToleration
DeviceTaint key=1 string;value?=2 string;effect=3 string;timeAdded?=4 *$Time
DeviceTaintRule metadata?=1 meta/v1.ObjectMeta;spec=2 DeviceTaintRuleSpec;status?=3 DeviceTaintRuleStatus
DeviceTaintRuleList metadata?=1 meta/v1.ListMeta;items=2 []DeviceTaintRule
DeviceTaintRuleSpec deviceSelector?=1 *DeviceTaintSelector;taint?=2 DeviceTaint
DeviceTaintRuleStatus conditions?=1 []meta/v1.Condition
DeviceTaintSelector deviceClassName?=1 *string;driver?=2 *string;pool?=3 *string;device?=4 *string;selectors?=5 []DeviceSelector
DeviceToleration key?=1 string;operator?=2 string;value?=3 string;effect?=4 string;tolerationSeconds?=5 *int64
NetworkDeviceData interfaceName?=1 string;ips?=2 []string;hardwareAddress?=3 string
OpaqueDeviceConfiguration driver=1 string;parameters=2 $RawExtension
PartitionTypeStatus type?=1 string;total?=2 *int32;allocatable?=3 *int32;attribute?=4 string
PodSchedulingContext metadata?=1 meta/v1.ObjectMeta;spec=2 PodSchedulingContextSpec;status?=3 PodSchedulingContextStatus
PodSchedulingContextList metadata?=1 meta/v1.ListMeta;items=2 []PodSchedulingContext
PodSchedulingContextSpec selectedNode?=1 string;potentialNodes?=2 []string
PodSchedulingContextStatus resourceClaims?=1 []ResourceClaimSchedulingStatus
PoolStatus driver?=1 string;poolName?=2 string;nodeName?=3 *string;totalDevices?=4 *int32;allocatedDevices?=5 *int32;availableDevices?=6 *int32;unavailableDevices?=7 *int32;resourceSliceCount?=8 *int32;generation=9 int64;validationError?=10 *string;partitionSummary?=11 []PartitionTypeStatus;shareableSummary?=13 *ShareableSummaryStatus
ResourceClaim metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec;status?=3 ResourceClaimStatus
ResourceClaimConsumerReference apiGroup?=1 string;resource=3 string;name=4 string;uid=5 string
ResourceClaimList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaim
ResourceClaimSchedulingStatus name=1 string;unsuitableNodes?=2 []string
ResourceClaimSpec devices=1 DeviceClaim;controller?=2 *string
ResourceClaimStatus allocation?=1 *AllocationResult;reservedFor?=2 []ResourceClaimConsumerReference;deallocationRequested?=3 *bool;devices?=4 []AllocatedDeviceStatus
ResourceClaimTemplate metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimTemplateSpec
ResourceClaimTemplateList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaimTemplate
ResourceClaimTemplateSpec metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec
ResourcePool name=1 string;generation=2 int64;resourceSliceCount=3 int64
ResourcePoolStatusRequest metadata?=1 meta/v1.ObjectMeta;spec=2 ResourcePoolStatusRequestSpec;status?=3 *ResourcePoolStatusRequestStatus
ResourcePoolStatusRequestList metadata?=1 meta/v1.ListMeta;items=2 []ResourcePoolStatusRequest
ResourcePoolStatusRequestSpec driver=1 string;poolName?=2 *string;limit?=3 *int32;defaultPartitionTypeAttribute?=4 *string
ResourcePoolStatusRequestStatus pools?=2 []PoolStatus;conditions?=3 []meta/v1.Condition;poolCount?=6 *int32
ResourceSlice metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceSliceSpec
ResourceSliceList metadata?=1 meta/v1.ListMeta;items=2 []ResourceSlice
ResourceSliceSpec driver=1 string;pool=2 ResourcePool;nodeName?=3 string;nodeSelector?=4 *core/v1.NodeSelector;allNodes?=5 bool;devices=6 []Device;perDeviceNodeSelection?=7 *bool;sharedCounters?=8 []CounterSet
ShareableCapacityStatus name?=1 string;total?=2 *$Quantity;consumed?=3 *$Quantity;available?=4 *$Quantity
ShareableSummaryStatus fullyAvailableDevices?=1 *int32;partiallyAvailableDevices?=2 *int32;capacity?=3 []ShareableCapacityStatus
resource.k8s.io/v1beta1
AllocatedDeviceStatus driver=1 string;pool=2 string;device=3 string;conditions=4 []meta/v1.Condition;data?=5 *$RawExtension;networkData?=6 *NetworkDeviceData;shareID?=7 *string
AllocationResult devices?=1 DeviceAllocationResult;nodeSelector?=3 *core/v1.NodeSelector;allocationTimestamp?=5 *$Time
BasicDevice attributes?=1 {}DeviceAttribute;capacity?=2 {}DeviceCapacity;consumesCounters?=3 []DeviceCounterConsumption;nodeName?=4 *string;nodeSelector?=5 *core/v1.NodeSelector;allNodes?=6 *bool;taints?=7 []DeviceTaint;bindsToNode?=8 *bool;bindingConditions?=9 []string;bindingFailureConditions?=10 []string;allowMultipleAllocations?=11 *bool;nodeAllocatableResourceMappings?=12 {}NodeAllocatableResourceMapping;nodeAllocatableResources?=14 {}NodeAllocatableResource
CELDeviceSelector expression=1 string
CapacityRequestPolicy default=1 *$Quantity;validValues?=3 []$Quantity;validRange?=4 *CapacityRequestPolicyRange
CapacityRequestPolicyRange min?=1 *$Quantity;max?=2 *$Quantity;step?=3 *$Quantity
CapacityRequirements requests?=1 {}$Quantity
Counter value=1 $Quantity
CounterSet name=1 string;counters?=2 {}Counter
Device name=1 string;basic?=2 *BasicDevice
DeviceAllocationConfiguration source=1 string;requests?=2 []string;=3 DeviceConfiguration
DeviceAllocationResult results?=1 []DeviceRequestAllocationResult;config?=2 []DeviceAllocationConfiguration
DeviceAttribute int?=2 *int64;bool?=3 *bool;string?=4 *string;version?=5 *string;ints?=6 []int64;bools?=7 []bool;strings?=8 []string;versions?=9 []string
DeviceCapacity value=1 $Quantity;requestPolicy?=2 *CapacityRequestPolicy
DeviceClaim requests=1 []DeviceRequest;constraints?=2 []DeviceConstraint;config?=3 []DeviceClaimConfiguration
DeviceClaimConfiguration requests?=1 []string;=2 DeviceConfiguration
DeviceClass metadata?=1 meta/v1.ObjectMeta;spec=2 DeviceClassSpec
DeviceClassConfiguration =1 DeviceConfiguration
DeviceClassList metadata?=1 meta/v1.ListMeta;items=2 []DeviceClass
DeviceClassSpec selectors?=1 []DeviceSelector;config?=2 []DeviceClassConfiguration;extendedResourceName?=4 *string
DeviceConfiguration opaque?=1 *OpaqueDeviceConfiguration
DeviceConstraint requests?=1 []string;matchAttribute?=2 *string;distinctAttribute?=3 *string
DeviceCounterConsumption counterSet=1 string;counters?=2 {}Counter;compatibilityGroups?=3 []string
DeviceDerivedAttribute name=1 string;expression=2 string
DeviceRequest name=1 string;deviceClassName=2 string;selectors?=3 []DeviceSelector;allocationMode?=4 string;count?=5 int64;adminAccess?=6 *bool;firstAvailable?=7 []DeviceSubRequest;tolerations?=8 []DeviceToleration;capacity?=9 *CapacityRequirements;derivedAttributes?=10 []DeviceDerivedAttribute
DeviceRequestAllocationResult request=1 string;driver=2 string;pool=3 string;device=4 string;adminAccess?=5 *bool;tolerations?=6 []DeviceToleration;bindingConditions?=7 []string;bindingFailureConditions?=8 []string;shareID?=9 *string;consumedCapacity?=10 {}$Quantity;skipNodeOperations?=11 []string
DeviceSelector cel?=1 *CELDeviceSelector
DeviceSubRequest name=1 string;deviceClassName=2 string;selectors?=3 []DeviceSelector;allocationMode?=4 string;count?=5 int64;tolerations?=7 []DeviceToleration;capacity?=8 *CapacityRequirements;derivedAttributes?=9 []DeviceDerivedAttribute
DeviceTaint key=1 string;value?=2 string;effect=3 string;timeAdded?=4 *$Time
DeviceToleration key?=1 string;operator?=2 string;value?=3 string;effect?=4 string;tolerationSeconds?=5 *int64
NetworkDeviceData interfaceName?=1 string;ips?=2 []string;hardwareAddress?=3 string
NodeAllocatableMapping capacityKey?=1 *string;capacityMultiplier?=2 *$Quantity;deviceMultiplier?=3 *$Quantity
NodeAllocatableOverhead perPod?=1 *$Quantity;perContainer?=2 *$Quantity
NodeAllocatableResource mapping?=3 *NodeAllocatableMapping;overhead?=4 *NodeAllocatableOverhead
NodeAllocatableResourceMapping capacityKey?=1 *string;allocationMultiplier?=2 *$Quantity
OpaqueDeviceConfiguration driver=1 string;parameters=2 $RawExtension
ResourceClaim metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec;status?=3 ResourceClaimStatus
ResourceClaimConsumerReference apiGroup?=1 string;resource=3 string;name=4 string;uid=5 string
ResourceClaimList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaim
ResourceClaimSpec devices=1 DeviceClaim
ResourceClaimStatus allocation?=1 *AllocationResult;reservedFor?=2 []ResourceClaimConsumerReference;devices?=4 []AllocatedDeviceStatus
ResourceClaimTemplate metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimTemplateSpec
ResourceClaimTemplateList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaimTemplate
ResourceClaimTemplateSpec metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec
ResourcePool name=1 string;generation=2 int64;resourceSliceCount=3 int64
ResourceSlice metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceSliceSpec
ResourceSliceList metadata?=1 meta/v1.ListMeta;items=2 []ResourceSlice
ResourceSliceSpec driver=1 string;pool=2 ResourcePool;nodeName?=3 string;nodeSelector?=4 *core/v1.NodeSelector;allNodes?=5 bool;devices?=6 []Device;perDeviceNodeSelection?=7 *bool;sharedCounters?=8 []CounterSet;partitionTypeAttribute?=9 *string;skipNodeOperations?=10 []string
resource.k8s.io/v1beta2
AllocatedDeviceStatus driver=1 string;pool=2 string;device=3 string;conditions=4 []meta/v1.Condition;data?=5 *$RawExtension;networkData?=6 *NetworkDeviceData;shareID?=7 *string
AllocationResult devices?=1 DeviceAllocationResult;nodeSelector?=3 *core/v1.NodeSelector;allocationTimestamp?=5 *$Time
CELDeviceSelector expression=1 string
CapacityRequestPolicy default=1 *$Quantity;validValues?=3 []$Quantity;validRange?=4 *CapacityRequestPolicyRange
CapacityRequestPolicyRange min?=1 *$Quantity;max?=2 *$Quantity;step?=3 *$Quantity
CapacityRequirements requests?=1 {}$Quantity
Counter value=1 $Quantity
CounterSet name=1 string;counters?=2 {}Counter
Device name=1 string;attributes?=2 {}DeviceAttribute;capacity?=3 {}DeviceCapacity;consumesCounters?=4 []DeviceCounterConsumption;nodeName?=5 *string;nodeSelector?=6 *core/v1.NodeSelector;allNodes?=7 *bool;taints?=8 []DeviceTaint;bindsToNode?=9 *bool;bindingConditions?=10 []string;bindingFailureConditions?=11 []string;allowMultipleAllocations?=12 *bool;nodeAllocatableResourceMappings?=13 {}NodeAllocatableResourceMapping;nodeAllocatableResources?=14 {}NodeAllocatableResource
DeviceAllocationConfiguration source=1 string;requests?=2 []string;=3 DeviceConfiguration
DeviceAllocationResult results?=1 []DeviceRequestAllocationResult;config?=2 []DeviceAllocationConfiguration
DeviceAttribute int?=2 *int64;bool?=3 *bool;string?=4 *string;version?=5 *string;ints?=6 []int64;bools?=7 []bool;strings?=8 []string;versions?=9 []string
DeviceCapacity value=1 $Quantity;requestPolicy?=2 *CapacityRequestPolicy
DeviceClaim requests=1 []DeviceRequest;constraints?=2 []DeviceConstraint;config?=3 []DeviceClaimConfiguration
DeviceClaimConfiguration requests?=1 []string;=2 DeviceConfiguration
DeviceClass metadata?=1 meta/v1.ObjectMeta;spec=2 DeviceClassSpec
DeviceClassConfiguration =1 DeviceConfiguration
DeviceClassList metadata?=1 meta/v1.ListMeta;items=2 []DeviceClass
DeviceClassSpec selectors?=1 []DeviceSelector;config?=2 []DeviceClassConfiguration;extendedResourceName?=4 *string
DeviceConfiguration opaque?=1 *OpaqueDeviceConfiguration
DeviceConstraint requests?=1 []string;matchAttribute?=2 *string;distinctAttribute?=3 *string
DeviceCounterConsumption counterSet=1 string;counters?=2 {}Counter;compatibilityGroups?=3 []string
DeviceDerivedAttribute name=1 string;expression=2 string
DeviceRequest name=1 string;exactly?=2 *ExactDeviceRequest;firstAvailable?=3 []DeviceSubRequest
DeviceRequestAllocationResult request=1 string;driver=2 string;pool=3 string;device=4 string;adminAccess?=5 *bool;tolerations?=6 []DeviceToleration;bindingConditions?=7 []string;bindingFailureConditions?=8 []string;shareID?=9 *string;consumedCapacity?=10 {}$Quantity;skipNodeOperations?=11 []string
DeviceSelector cel?=1 *CELDeviceSelector
DeviceSubRequest name=1 string;deviceClassName=2 string;selectors?=3 []DeviceSelector;allocationMode?=4 string;count?=5 int64;tolerations?=6 []DeviceToleration;capacity?=7 *CapacityRequirements;derivedAttributes?=8 []DeviceDerivedAttribute
DeviceTaint key=1 string;value?=2 string;effect=3 string;timeAdded?=4 *$Time
DeviceTaintRule metadata?=1 meta/v1.ObjectMeta;spec=2 DeviceTaintRuleSpec;status?=3 DeviceTaintRuleStatus
DeviceTaintRuleList metadata?=1 meta/v1.ListMeta;items=2 []DeviceTaintRule
DeviceTaintRuleSpec deviceSelector?=1 *DeviceTaintSelector;taint?=2 DeviceTaint
DeviceTaintRuleStatus conditions?=1 []meta/v1.Condition
DeviceTaintSelector driver?=2 *string;pool?=3 *string;device?=4 *string
DeviceToleration key?=1 string;operator?=2 string;value?=3 string;effect?=4 string;tolerationSeconds?=5 *int64
ExactDeviceRequest deviceClassName=1 string;selectors?=2 []DeviceSelector;allocationMode?=3 string;count?=4 int64;adminAccess?=5 *bool;tolerations?=6 []DeviceToleration;capacity?=7 *CapacityRequirements;derivedAttributes?=8 []DeviceDerivedAttribute
NetworkDeviceData interfaceName?=1 string;ips?=2 []string;hardwareAddress?=3 string
NodeAllocatableMapping capacityKey?=1 *string;capacityMultiplier?=2 *$Quantity;deviceMultiplier?=3 *$Quantity
NodeAllocatableOverhead perPod?=1 *$Quantity;perContainer?=2 *$Quantity
NodeAllocatableResource mapping?=3 *NodeAllocatableMapping;overhead?=4 *NodeAllocatableOverhead
NodeAllocatableResourceMapping capacityKey?=1 *string;allocationMultiplier?=2 *$Quantity
OpaqueDeviceConfiguration driver=1 string;parameters=2 $RawExtension
ResourceClaim metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec;status?=3 ResourceClaimStatus
ResourceClaimConsumerReference apiGroup?=1 string;resource=3 string;name=4 string;uid=5 string
ResourceClaimList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaim
ResourceClaimSpec devices=1 DeviceClaim
ResourceClaimStatus allocation?=1 *AllocationResult;reservedFor?=2 []ResourceClaimConsumerReference;devices?=4 []AllocatedDeviceStatus
ResourceClaimTemplate metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimTemplateSpec
ResourceClaimTemplateList metadata?=1 meta/v1.ListMeta;items=2 []ResourceClaimTemplate
ResourceClaimTemplateSpec metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceClaimSpec
ResourcePool name=1 string;generation=2 int64;resourceSliceCount=3 int64
ResourceSlice metadata?=1 meta/v1.ObjectMeta;spec=2 ResourceSliceSpec
ResourceSliceList metadata?=1 meta/v1.ListMeta;items=2 []ResourceSlice
ResourceSliceSpec driver=1 string;pool=2 ResourcePool;nodeName?=3 *string;nodeSelector?=4 *core/v1.NodeSelector;allNodes?=5 *bool;devices?=6 []Device;perDeviceNodeSelection?=7 *bool;sharedCounters?=8 []CounterSet;partitionTypeAttribute?=9 *string;skipNodeOperations?=10 []string
scheduling.k8s.io/v1
PriorityClass metadata?=1 meta/v1.ObjectMeta;value=2 int32;globalDefault?=3 bool;description?=4 string;preemptionPolicy?=5 *string
PriorityClassList metadata?=1 meta/v1.ListMeta;items=2 []PriorityClass
scheduling.k8s.io/v1alpha1
BasicSchedulingPolicy
GangSchedulingPolicy minCount=1 int32
PodGroup name=1 string;policy=3 PodGroupPolicy
PodGroupPolicy basic?=2 *BasicSchedulingPolicy;gang?=3 *GangSchedulingPolicy
PriorityClass metadata?=1 meta/v1.ObjectMeta;value=2 int32;globalDefault?=3 bool;description?=4 string;preemptionPolicy?=5 *string
PriorityClassList metadata?=1 meta/v1.ListMeta;items=2 []PriorityClass
TypedLocalObjectReference apiGroup?=1 string;kind=2 string;name=3 string
Workload metadata?=1 meta/v1.ObjectMeta;spec=2 WorkloadSpec
WorkloadList metadata?=1 meta/v1.ListMeta;items=2 []Workload
WorkloadSpec controllerRef?=1 *TypedLocalObjectReference;podGroups=2 []PodGroup
scheduling.k8s.io/v1alpha2
BasicSchedulingPolicy
GangSchedulingPolicy minCount=1 int32
PodGroup metadata?=1 meta/v1.ObjectMeta;spec=2 PodGroupSpec;status?=3 PodGroupStatus
PodGroupList metadata?=1 meta/v1.ListMeta;items=2 []PodGroup
PodGroupResourceClaim name=1 string;resourceClaimName?=2 *string;resourceClaimTemplateName?=3 *string
PodGroupResourceClaimStatus name=1 string;resourceClaimName?=2 *string
PodGroupSchedulingConstraints topology?=1 []TopologyConstraint
PodGroupSchedulingPolicy basic?=1 *BasicSchedulingPolicy;gang?=2 *GangSchedulingPolicy
PodGroupSpec podGroupTemplateRef=1 *PodGroupTemplateReference;schedulingPolicy=2 PodGroupSchedulingPolicy;schedulingConstraints?=3 *PodGroupSchedulingConstraints;resourceClaims?=4 []PodGroupResourceClaim;disruptionMode?=5 *string;priorityClassName?=6 string;priority?=7 *int32
PodGroupStatus conditions?=1 []meta/v1.Condition;resourceClaimStatuses?=2 []PodGroupResourceClaimStatus
PodGroupTemplate name=1 string;schedulingPolicy=2 PodGroupSchedulingPolicy;schedulingConstraints=3 *PodGroupSchedulingConstraints;resourceClaims?=4 []PodGroupResourceClaim;disruptionMode?=5 *string;priorityClassName?=6 string;priority?=7 *int32
PodGroupTemplateReference workload=1 *WorkloadPodGroupTemplateReference
TopologyConstraint key=1 string
TypedLocalObjectReference apiGroup?=1 string;kind=2 string;name=3 string
Workload metadata?=1 meta/v1.ObjectMeta;spec=2 WorkloadSpec
WorkloadList metadata?=1 meta/v1.ListMeta;items=2 []Workload
WorkloadPodGroupTemplateReference workloadName=1 string;podGroupTemplateName=2 string
WorkloadSpec controllerRef?=1 *TypedLocalObjectReference;podGroupTemplates=2 []PodGroupTemplate
scheduling.k8s.io/v1alpha3
AllCompositeDisruptionMode
AllDisruptionMode
BasicSchedulingPolicy
CompositeBasicSchedulingPolicy
CompositeDisruptionMode single?=1 *SingleCompositeDisruptionMode;all?=2 *AllCompositeDisruptionMode
CompositeGangSchedulingPolicy minGroupCount=1 int32
CompositePodGroup metadata?=1 meta/v1.ObjectMeta;spec=2 CompositePodGroupSpec;status?=3 CompositePodGroupStatus
CompositePodGroupList metadata?=1 meta/v1.ListMeta;items=2 []CompositePodGroup
CompositePodGroupSchedulingConstraints topology?=1 []TopologyConstraint
CompositePodGroupSchedulingPolicy basic?=1 *CompositeBasicSchedulingPolicy;gang?=2 *CompositeGangSchedulingPolicy
CompositePodGroupSpec parentCompositePodGroupName?=1 *string;workloadRef=2 *WorkloadReference;schedulingPolicy=3 CompositePodGroupSchedulingPolicy;schedulingConstraints?=4 *CompositePodGroupSchedulingConstraints;disruptionMode?=5 *CompositeDisruptionMode;priorityClassName?=6 string;priority?=7 *int32;preemptionPolicy?=8 *string
CompositePodGroupStatus conditions?=1 []meta/v1.Condition
CompositePodGroupTemplate name=1 string;schedulingPolicy=2 CompositePodGroupSchedulingPolicy;schedulingConstraints?=3 *CompositePodGroupSchedulingConstraints;disruptionMode?=4 *CompositeDisruptionMode;priorityClassName?=5 string;priority?=6 *int32;preemptionPolicy?=7 *string;podGroupTemplates?=8 []PodGroupTemplate;compositePodGroupTemplates?=9 []CompositePodGroupTemplate
DisruptionMode single?=1 *SingleDisruptionMode;all?=2 *AllDisruptionMode
GangSchedulingPolicy minCount=1 int32
PodGroup metadata?=1 meta/v1.ObjectMeta;spec=2 PodGroupSpec;status?=3 PodGroupStatus
PodGroupList metadata?=1 meta/v1.ListMeta;items=2 []PodGroup
PodGroupResourceClaim name=1 string;resourceClaimName?=2 *string;resourceClaimTemplateName?=3 *string
PodGroupResourceClaimStatus name=1 string;resourceClaimName?=2 *string
PodGroupSchedulingConstraints topology?=1 []TopologyConstraint
PodGroupSchedulingPolicy basic?=1 *BasicSchedulingPolicy;gang?=2 *GangSchedulingPolicy
PodGroupSpec parentCompositePodGroupName?=1 *string;workloadRef?=2 *WorkloadReference;schedulingPolicy=3 PodGroupSchedulingPolicy;schedulingConstraints?=4 *PodGroupSchedulingConstraints;resourceClaims?=5 []PodGroupResourceClaim;disruptionMode?=6 *DisruptionMode;priorityClassName?=7 string;priority?=8 *int32;preemptionPolicy?=9 *string
PodGroupStatus conditions?=1 []meta/v1.Condition;resourceClaimStatuses?=2 []PodGroupResourceClaimStatus
PodGroupTemplate name=1 string;schedulingPolicy=2 PodGroupSchedulingPolicy;schedulingConstraints=3 *PodGroupSchedulingConstraints;resourceClaims?=4 []PodGroupResourceClaim;disruptionMode?=5 *DisruptionMode;priorityClassName?=6 string;priority?=7 *int32;preemptionPolicy?=8 *string
SingleCompositeDisruptionMode
SingleDisruptionMode
TopologyConstraint key=1 string
TypedLocalObjectReference apiGroup?=1 string;kind=2 string;name=3 string
Workload metadata?=1 meta/v1.ObjectMeta;spec=2 WorkloadSpec
WorkloadCompositePodGroupAllDisruptionMode
WorkloadCompositePodGroupBasicSchedulingPolicy
WorkloadCompositePodGroupDisruptionMode single?=1 *WorkloadCompositePodGroupSingleDisruptionMode;all?=2 *WorkloadCompositePodGroupAllDisruptionMode
WorkloadCompositePodGroupGangSchedulingPolicy minGroupCount?=1 *int32
WorkloadCompositePodGroupSchedulingConstraints topology?=1 []TopologyConstraint
WorkloadCompositePodGroupSchedulingPolicy basic?=1 *WorkloadCompositePodGroupBasicSchedulingPolicy;gang?=2 *WorkloadCompositePodGroupGangSchedulingPolicy
WorkloadCompositePodGroupSingleDisruptionMode
WorkloadList metadata?=1 meta/v1.ListMeta;items=2 []Workload
WorkloadPodGroupAllDisruptionMode
WorkloadPodGroupBasicSchedulingPolicy
WorkloadPodGroupDisruptionMode single?=1 *WorkloadPodGroupSingleDisruptionMode;all?=2 *WorkloadPodGroupAllDisruptionMode
WorkloadPodGroupGangSchedulingPolicy minCount?=1 *int32
WorkloadPodGroupResourceClaim name=1 string;resourceClaimName?=2 *string;resourceClaimTemplateName?=3 *string
WorkloadPodGroupSchedulingConstraints topology?=1 []TopologyConstraint
WorkloadPodGroupSchedulingPolicy basic?=1 *WorkloadPodGroupBasicSchedulingPolicy;gang?=2 *WorkloadPodGroupGangSchedulingPolicy
WorkloadPodGroupSingleDisruptionMode
WorkloadReference workloadName=1 string;templateName=2 string
WorkloadSpec controllerRef?=1 *TypedLocalObjectReference;podGroupTemplates=2 []PodGroupTemplate;compositePodGroupTemplates?=3 []CompositePodGroupTemplate
scheduling.k8s.io/v1beta1
AllCompositeDisruptionMode
AllDisruptionMode
BasicSchedulingPolicy
CompositeBasicSchedulingPolicy
CompositeDisruptionMode single?=1 *SingleCompositeDisruptionMode;all?=2 *AllCompositeDisruptionMode
CompositeGangSchedulingPolicy minGroupCount=1 int32
CompositePodGroupSchedulingConstraints topology?=1 []TopologyConstraint
CompositePodGroupSchedulingPolicy basic?=1 *CompositeBasicSchedulingPolicy;gang?=2 *CompositeGangSchedulingPolicy
CompositePodGroupTemplate name=1 string;schedulingPolicy=2 CompositePodGroupSchedulingPolicy;schedulingConstraints?=3 *CompositePodGroupSchedulingConstraints;disruptionMode?=4 *CompositeDisruptionMode;priorityClassName?=5 string;priority?=6 *int32;preemptionPolicy?=7 *string;podGroupTemplates?=8 []PodGroupTemplate;compositePodGroupTemplates?=9 []CompositePodGroupTemplate
DisruptionMode single?=1 *SingleDisruptionMode;all?=2 *AllDisruptionMode
GangSchedulingPolicy minCount=1 int32
PodGroup metadata?=1 meta/v1.ObjectMeta;spec=2 PodGroupSpec;status?=3 PodGroupStatus
PodGroupList metadata?=1 meta/v1.ListMeta;items=2 []PodGroup
PodGroupResourceClaim name=1 string;resourceClaimName?=2 *string;resourceClaimTemplateName?=3 *string
PodGroupResourceClaimStatus name=1 string;resourceClaimName?=2 *string
PodGroupSchedulingConstraints topology?=1 []TopologyConstraint
PodGroupSchedulingPolicy basic?=1 *BasicSchedulingPolicy;gang?=2 *GangSchedulingPolicy
PodGroupSpec parentCompositePodGroupName?=1 *string;workloadRef?=2 *WorkloadReference;schedulingPolicy=3 PodGroupSchedulingPolicy;schedulingConstraints?=4 *PodGroupSchedulingConstraints;resourceClaims?=5 []PodGroupResourceClaim;disruptionMode?=6 *DisruptionMode;priorityClassName?=7 string;priority?=8 *int32;preemptionPolicy?=9 *string
PodGroupStatus conditions?=1 []meta/v1.Condition;resourceClaimStatuses?=2 []PodGroupResourceClaimStatus
PodGroupTemplate name=1 string;schedulingPolicy=2 PodGroupSchedulingPolicy;schedulingConstraints=3 *PodGroupSchedulingConstraints;resourceClaims?=4 []PodGroupResourceClaim;disruptionMode?=5 *DisruptionMode;priorityClassName?=6 string;priority?=7 *int32;preemptionPolicy?=8 *string
PriorityClass metadata?=1 meta/v1.ObjectMeta;value=2 int32;globalDefault?=3 bool;description?=4 string;preemptionPolicy?=5 *string
PriorityClassList metadata?=1 meta/v1.ListMeta;items=2 []PriorityClass
SingleCompositeDisruptionMode
SingleDisruptionMode
TopologyConstraint key=1 string
TypedLocalObjectReference apiGroup?=1 string;kind=2 string;name=3 string
Workload metadata?=1 meta/v1.ObjectMeta;spec=2 WorkloadSpec
WorkloadList metadata?=1 meta/v1.ListMeta;items=2 []Workload
WorkloadReference workloadName=1 string;templateName=2 string
WorkloadSpec controllerRef?=1 *TypedLocalObjectReference;podGroupTemplates=2 []PodGroupTemplate;compositePodGroupTemplates?=3 []CompositePodGroupTemplate
storage.k8s.io/v1
CSIDriver metadata?=1 meta/v1.ObjectMeta;spec=2 CSIDriverSpec
CSIDriverList metadata?=1 meta/v1.ListMeta;items=2 []CSIDriver
CSIDriverSpec attachRequired?=1 *bool;podInfoOnMount?=2 *bool;volumeLifecycleModes?=3 []string;storageCapacity?=4 *bool;fsGroupPolicy?=5 *string;tokenRequests?=6 []TokenRequest;requiresRepublish?=7 *bool;seLinuxMount?=8 *bool;nodeAllocatableUpdatePeriodSeconds?=9 *int64;serviceAccountTokenInSecrets?=10 *bool;preventPodSchedulingIfMissing?=11 *bool
CSINode metadata?=1 meta/v1.ObjectMeta;spec=2 CSINodeSpec;status?=3 CSINodeStatus
CSINodeDriver name=1 string;nodeID=2 string;topologyKeys=3 []string;allocatable?=4 *VolumeNodeResources
CSINodeList metadata?=1 meta/v1.ListMeta;items=2 []CSINode
CSINodeSpec drivers=1 []CSINodeDriver
CSINodeStatus storageHealth?=1 []StorageHealth
CSIStorageCapacity metadata?=1 meta/v1.ObjectMeta;nodeTopology?=2 *meta/v1.LabelSelector;storageClassName=3 string;capacity?=4 *$Quantity;maximumVolumeSize?=5 *$Quantity
CSIStorageCapacityList metadata?=1 meta/v1.ListMeta;items=2 []CSIStorageCapacity
StorageClass metadata?=1 meta/v1.ObjectMeta;provisioner=2 string;parameters?=3 {}string;reclaimPolicy?=4 *string;mountOptions?=5 []string;allowVolumeExpansion?=6 *bool;volumeBindingMode?=7 *string;allowedTopologies?=8 []core/v1.TopologySelectorTerm
StorageClassList metadata?=1 meta/v1.ListMeta;items=2 []StorageClass
StorageHealth name=1 string;healthConditions?=2 []StorageHealthCondition
StorageHealthCondition status=1 string;reason=2 string;message?=3 string;accessMode?=4 *string;volumeMode?=5 *string;lastTransitionTime?=6 $Time
TokenRequest audience=1 string;expirationSeconds?=2 *int64
VolumeAttachment metadata?=1 meta/v1.ObjectMeta;spec=2 VolumeAttachmentSpec;status?=3 VolumeAttachmentStatus
VolumeAttachmentList metadata?=1 meta/v1.ListMeta;items=2 []VolumeAttachment
VolumeAttachmentSource persistentVolumeName?=1 *string;inlineVolumeSpec?=2 *core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher=1 string;source=2 VolumeAttachmentSource;nodeName=3 string
VolumeAttachmentStatus attached=1 bool;attachmentMetadata?=2 {}string;attachError?=3 *VolumeError;detachError?=4 *VolumeError
VolumeAttributesClass metadata?=1 meta/v1.ObjectMeta;driverName=2 string;parameters?=3 {}string
VolumeAttributesClassList metadata?=1 meta/v1.ListMeta;items=2 []VolumeAttributesClass
VolumeError time?=1 $Time;message?=2 string;errorCode?=3 *int32
VolumeNodeResources count?=1 *int32
storage.k8s.io/v1alpha1
CSIStorageCapacity metadata?=1 meta/v1.ObjectMeta;nodeTopology?=2 *meta/v1.LabelSelector;storageClassName=3 string;capacity?=4 *$Quantity;maximumVolumeSize?=5 *$Quantity
CSIStorageCapacityList metadata?=1 meta/v1.ListMeta;items=2 []CSIStorageCapacity
VolumeAttachment metadata?=1 meta/v1.ObjectMeta;spec=2 VolumeAttachmentSpec;status?=3 VolumeAttachmentStatus
VolumeAttachmentList metadata?=1 meta/v1.ListMeta;items=2 []VolumeAttachment
VolumeAttachmentSource persistentVolumeName?=1 *string;inlineVolumeSpec?=2 *core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher=1 string;source=2 VolumeAttachmentSource;nodeName=3 string
VolumeAttachmentStatus attached=1 bool;attachmentMetadata?=2 {}string;attachError?=3 *VolumeError;detachError?=4 *VolumeError
VolumeAttributesClass metadata?=1 meta/v1.ObjectMeta;driverName=2 string;parameters?=3 {}string
VolumeAttributesClassList metadata?=1 meta/v1.ListMeta;items=2 []VolumeAttributesClass
VolumeError time?=1 $Time;message?=2 string;errorCode?=3 *int32
storage.k8s.io/v1beta1
CSIDriver metadata?=1 meta/v1.ObjectMeta;spec=2 CSIDriverSpec
CSIDriverList metadata?=1 meta/v1.ListMeta;items=2 []CSIDriver
CSIDriverSpec attachRequired?=1 *bool;podInfoOnMount?=2 *bool;volumeLifecycleModes?=3 []string;storageCapacity?=4 *bool;fsGroupPolicy?=5 *string;tokenRequests?=6 []TokenRequest;requiresRepublish?=7 *bool;seLinuxMount?=8 *bool;nodeAllocatableUpdatePeriodSeconds?=9 *int64;serviceAccountTokenInSecrets?=10 *bool;preventPodSchedulingIfMissing?=11 *bool
CSINode metadata?=1 meta/v1.ObjectMeta;spec=2 CSINodeSpec;status?=3 CSINodeStatus
CSINodeDriver name=1 string;nodeID=2 string;topologyKeys=3 []string;allocatable?=4 *VolumeNodeResources
CSINodeList metadata?=1 meta/v1.ListMeta;items=2 []CSINode
CSINodeSpec drivers=1 []CSINodeDriver
CSINodeStatus storageHealth?=1 []StorageHealth
CSIStorageCapacity metadata?=1 meta/v1.ObjectMeta;nodeTopology?=2 *meta/v1.LabelSelector;storageClassName=3 string;capacity?=4 *$Quantity;maximumVolumeSize?=5 *$Quantity
CSIStorageCapacityList metadata?=1 meta/v1.ListMeta;items=2 []CSIStorageCapacity
StorageClass metadata?=1 meta/v1.ObjectMeta;provisioner=2 string;parameters?=3 {}string;reclaimPolicy?=4 *string;mountOptions?=5 []string;allowVolumeExpansion?=6 *bool;volumeBindingMode?=7 *string;allowedTopologies?=8 []core/v1.TopologySelectorTerm
StorageClassList metadata?=1 meta/v1.ListMeta;items=2 []StorageClass
StorageHealth name=1 string;healthConditions?=2 []StorageHealthCondition
StorageHealthCondition status=1 string;reason=2 string;message?=3 string;accessMode?=4 *string;volumeMode?=5 *string;lastTransitionTime?=6 $Time
TokenRequest audience=1 string;expirationSeconds?=2 *int64
VolumeAttachment metadata?=1 meta/v1.ObjectMeta;spec=2 VolumeAttachmentSpec;status?=3 VolumeAttachmentStatus
VolumeAttachmentList metadata?=1 meta/v1.ListMeta;items=2 []VolumeAttachment
VolumeAttachmentSource persistentVolumeName?=1 *string;inlineVolumeSpec?=2 *core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher=1 string;source=2 VolumeAttachmentSource;nodeName=3 string
VolumeAttachmentStatus attached=1 bool;attachmentMetadata?=2 {}string;attachError?=3 *VolumeError;detachError?=4 *VolumeError
VolumeAttributesClass metadata?=1 meta/v1.ObjectMeta;driverName=2 string;parameters?=3 {}string
VolumeAttributesClassList metadata?=1 meta/v1.ListMeta;items=2 []VolumeAttributesClass
VolumeError time?=1 $Time;message?=2 string;errorCode?=3 *int32
VolumeNodeResources count?=1 *int32
storagemigration.k8s.io/v1
StorageVersionMigration metadata?=1 meta/v1.ObjectMeta;spec?=2 StorageVersionMigrationSpec;status?=3 StorageVersionMigrationStatus
StorageVersionMigrationList metadata?=1 meta/v1.ListMeta;items=2 []StorageVersionMigration
StorageVersionMigrationSpec resource=1 meta/v1.GroupResource
StorageVersionMigrationStatus conditions?=1 []meta/v1.Condition;resourceVersion?=2 string
storagemigration.k8s.io/v1alpha1
GroupVersionResource group?=1 string;version?=2 string;resource?=3 string
MigrationCondition type=1 string;status=2 string;lastUpdateTime?=3 $Time;reason?=4 string;message?=5 string
StorageVersionMigration metadata?=1 meta/v1.ObjectMeta;spec?=2 StorageVersionMigrationSpec;status?=3 StorageVersionMigrationStatus
StorageVersionMigrationList metadata?=1 meta/v1.ListMeta;items=2 []StorageVersionMigration
StorageVersionMigrationSpec resource=1 GroupVersionResource;continueToken?=2 string
StorageVersionMigrationStatus conditions?=1 []MigrationCondition;resourceVersion?=2 string
storagemigration.k8s.io/v1beta1
StorageVersionMigration metadata?=1 meta/v1.ObjectMeta;spec?=2 StorageVersionMigrationSpec;status?=3 StorageVersionMigrationStatus
StorageVersionMigrationList metadata?=1 meta/v1.ListMeta;items=2 []StorageVersionMigration
StorageVersionMigrationSpec resource=1 meta/v1.GroupResource
StorageVersionMigrationStatus conditions?=1 []meta/v1.Condition;resourceVersion?=2 string
`;

export const kinds: string = `
admission.k8s.io/v1 AdmissionReview
admission.k8s.io/v1beta1 AdmissionReview
admissionregistration.k8s.io/v1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList MutatingWebhookConfiguration MutatingWebhookConfigurationList ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList MutatingWebhookConfiguration MutatingWebhookConfigurationList ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList
apidiscovery.k8s.io/v2 APIGroupDiscovery APIGroupDiscoveryList
apidiscovery.k8s.io/v2beta1 APIGroupDiscovery APIGroupDiscoveryList
apiextensions.k8s.io/v1 ConversionReview CustomResourceDefinition CustomResourceDefinitionList
apiextensions.k8s.io/v1beta1 ConversionReview CustomResourceDefinition CustomResourceDefinitionList
apiregistration.k8s.io/v1 APIService APIServiceList
apiregistration.k8s.io/v1beta1 APIService APIServiceList
apps/v1 ControllerRevision ControllerRevisionList DaemonSet DaemonSetList Deployment DeploymentList ReplicaSet ReplicaSetList StatefulSet StatefulSetList
apps/v1beta1 ControllerRevision ControllerRevisionList Deployment DeploymentList DeploymentRollback Scale StatefulSet StatefulSetList
apps/v1beta2 ControllerRevision ControllerRevisionList DaemonSet DaemonSetList Deployment DeploymentList ReplicaSet ReplicaSetList Scale StatefulSet StatefulSetList
authentication.k8s.io/v1 SelfSubjectReview TokenRequest TokenReview
authentication.k8s.io/v1alpha1 SelfSubjectReview
authentication.k8s.io/v1beta1 SelfSubjectReview TokenReview
authorization.k8s.io/v1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
authorization.k8s.io/v1beta1 LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview
autoscaling/v1 HorizontalPodAutoscaler HorizontalPodAutoscalerList Scale
autoscaling/v2 HorizontalPodAutoscaler HorizontalPodAutoscalerList
autoscaling/v2beta1 HorizontalPodAutoscaler HorizontalPodAutoscalerList
autoscaling/v2beta2 HorizontalPodAutoscaler HorizontalPodAutoscalerList
batch/v1 CronJob CronJobList Job JobList
batch/v1beta1 CronJob CronJobList
certificates.k8s.io/v1 CertificateSigningRequest CertificateSigningRequestList ClusterTrustBundle ClusterTrustBundleList PodCertificateRequest PodCertificateRequestList
certificates.k8s.io/v1alpha1 ClusterTrustBundle ClusterTrustBundleList PodCertificateRequest PodCertificateRequestList
certificates.k8s.io/v1beta1 CertificateSigningRequest CertificateSigningRequestList ClusterTrustBundle ClusterTrustBundleList PodCertificateRequest PodCertificateRequestList
coordination.k8s.io/v1 Lease LeaseList
coordination.k8s.io/v1alpha1 LeaseCandidate LeaseCandidateList
coordination.k8s.io/v1alpha2 LeaseCandidate LeaseCandidateList
coordination.k8s.io/v1beta1 Lease LeaseCandidate LeaseCandidateList LeaseList
discovery.k8s.io/v1 EndpointSlice EndpointSliceList
discovery.k8s.io/v1beta1 EndpointSlice EndpointSliceList
events.k8s.io/v1 Event EventList
events.k8s.io/v1beta1 Event EventList
extensions/v1beta1 DaemonSet DaemonSetList Deployment DeploymentList DeploymentRollback Ingress IngressList NetworkPolicy NetworkPolicyList ReplicaSet ReplicaSetList Scale
flowcontrol.apiserver.k8s.io/v1 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList
imagepolicy.k8s.io/v1alpha1 ImageReview
internal.apiserver.k8s.io/v1alpha1 StorageVersion StorageVersionList
lifecycle.k8s.io/v1alpha1 Eviction EvictionList EvictionRequest EvictionRequestList
meta.k8s.io/v1 CreateOptions=meta/v1.CreateOptions DeleteOptions=meta/v1.DeleteOptions GetOptions=meta/v1.GetOptions ListOptions=meta/v1.ListOptions PartialObjectMetadata=meta/v1.PartialObjectMetadata PartialObjectMetadataList=meta/v1.PartialObjectMetadataList PatchOptions=meta/v1.PatchOptions TableOptions=meta/v1.TableOptions UpdateOptions=meta/v1.UpdateOptions WatchEvent=meta/v1.WatchEvent
meta.k8s.io/v1beta1 PartialObjectMetadata=meta/v1.PartialObjectMetadata PartialObjectMetadataList=meta/v1beta1.PartialObjectMetadataList TableOptions=meta/v1.TableOptions
networking.k8s.io/v1 IPAddress IPAddressList Ingress IngressClass IngressClassList IngressList NetworkPolicy NetworkPolicyList ServiceCIDR ServiceCIDRList
networking.k8s.io/v1alpha1 IPAddress IPAddressList ServiceCIDR ServiceCIDRList
networking.k8s.io/v1beta1 IPAddress IPAddressList Ingress IngressClass IngressClassList IngressList ServiceCIDR ServiceCIDRList
node.k8s.io/v1 RuntimeClass RuntimeClassList
node.k8s.io/v1alpha1 RuntimeClass RuntimeClassList
node.k8s.io/v1beta1 RuntimeClass RuntimeClassList
policy/v1 Eviction PodDisruptionBudget PodDisruptionBudgetList
policy/v1beta1 Eviction PodDisruptionBudget PodDisruptionBudgetList
rbac.authorization.k8s.io/v1 ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList
rbac.authorization.k8s.io/v1alpha1 ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList
rbac.authorization.k8s.io/v1beta1 ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList
resource.k8s.io/v1 DeviceClass DeviceClassList DeviceTaintRule DeviceTaintRuleList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
resource.k8s.io/v1alpha3 DeviceClass DeviceClassList DeviceTaintRule DeviceTaintRuleList PodSchedulingContext PodSchedulingContextList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourcePoolStatusRequest ResourcePoolStatusRequestList ResourceSlice ResourceSliceList
resource.k8s.io/v1beta1 DeviceClass DeviceClassList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
resource.k8s.io/v1beta2 DeviceClass DeviceClassList DeviceTaintRule DeviceTaintRuleList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
scheduling.k8s.io/v1 PriorityClass PriorityClassList
scheduling.k8s.io/v1alpha1 PriorityClass PriorityClassList Workload WorkloadList
scheduling.k8s.io/v1alpha2 PodGroup PodGroupList Workload WorkloadList
scheduling.k8s.io/v1alpha3 CompositePodGroup CompositePodGroupList PodGroup PodGroupList Workload WorkloadList
scheduling.k8s.io/v1beta1 PodGroup PodGroupList PriorityClass PriorityClassList Workload WorkloadList
storage.k8s.io/v1 CSIDriver CSIDriverList CSINode CSINodeList CSIStorageCapacity CSIStorageCapacityList StorageClass StorageClassList VolumeAttachment VolumeAttachmentList VolumeAttributesClass VolumeAttributesClassList
storage.k8s.io/v1alpha1 CSIStorageCapacity CSIStorageCapacityList VolumeAttachment VolumeAttachmentList VolumeAttributesClass VolumeAttributesClassList
storage.k8s.io/v1beta1 CSIDriver CSIDriverList CSINode CSINodeList CSIStorageCapacity CSIStorageCapacityList StorageClass StorageClassList VolumeAttachment VolumeAttachmentList VolumeAttributesClass VolumeAttributesClassList
storagemigration.k8s.io/v1 StorageVersionMigration StorageVersionMigrationList
storagemigration.k8s.io/v1alpha1 StorageVersionMigration StorageVersionMigrationList
storagemigration.k8s.io/v1beta1 StorageVersionMigration StorageVersionMigrationList
v1 APIGroup=meta/v1.APIGroup APIGroupList=meta/v1.APIGroupList APIResourceList=meta/v1.APIResourceList APIVersions=meta/v1.APIVersions Binding ComponentStatus ComponentStatusList ConfigMap ConfigMapList CreateOptions=meta/v1.CreateOptions DeleteOptions=meta/v1.DeleteOptions Endpoints EndpointsList Event EventList GetOptions=meta/v1.GetOptions LimitRange LimitRangeList List ListOptions=meta/v1.ListOptions Namespace NamespaceList Node NodeList NodeProxyOptions PatchOptions=meta/v1.PatchOptions PersistentVolume PersistentVolumeClaim PersistentVolumeClaimList PersistentVolumeList Pod PodAttachOptions PodExecOptions PodList PodLogOptions PodPortForwardOptions PodProxyOptions PodStatusResult PodTemplate PodTemplateList RangeAllocation ReplicationController ReplicationControllerList ResourceQuota ResourceQuotaList Secret SecretList SerializedReference Service ServiceAccount ServiceAccountList ServiceList ServiceProxyOptions Status=meta/v1.Status UpdateOptions=meta/v1.UpdateOptions WatchEvent=meta/v1.WatchEvent
`;
