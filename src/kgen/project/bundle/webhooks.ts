/** Webhooks of a ClusterServiceVersion, from the configurations of an operator. Pure. */
import {
  array,
  at,
  compact,
  isObject,
  type JsonObject,
  object,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import { type Checked, error, type InputProblem, warning } from '../../common/problems.ts';
import type { FileObject } from '../file-objects.ts';
import { conversionOf, type OperatorParts } from './operator.ts';

/** Groups whose objects OLM does not permit webhooks to review. */
const forbiddenGroups = [
  '*',
  'operators.coreos.com',
  'olm.operatorframework.io',
  'admissionregistration.k8s.io',
];

/** Returns `webhookdefinitions`. */
export function webhookDefinitions(parts: OperatorParts): Checked<readonly JsonObject[]> {
  const { configurations, definitions } = parts;
  const admissions = configurations.flatMap((file) =>
    array(file.value, 'webhooks')
      .filter(isObject)
      .map((webhook) => ({ file, webhook })),
  );
  const conversions = definitions.flatMap(({ value }) => {
    const webhook = conversionOf(value);
    return webhook === undefined ? [] : [{ value, webhook }];
  });
  return {
    value: [
      ...admissions.map(({ file, webhook }) => admission(file, webhook, parts)),
      ...conversions.map(({ value, webhook }) => conversion(value, webhook, parts)),
    ],
    problems: admissions.flatMap(({ file, webhook }) => limits(file, webhook, parts)),
  };
}

const nameOf = (value: JsonObject): string => text(value, 'metadata', 'name');

function admission(file: FileObject, webhook: JsonObject, parts: OperatorParts): JsonObject {
  const isMutating = text(file.value, 'kind').startsWith('Mutating');
  const copied = [
    ...['rules', 'failurePolicy', 'matchPolicy', 'objectSelector', 'sideEffects', 'timeoutSeconds'],
    ...['admissionReviewVersions', 'reinvocationPolicy'],
  ];
  return compact({
    type: isMutating ? 'MutatingAdmissionWebhook' : 'ValidatingAdmissionWebhook',
    generateName: text(webhook, 'name'),
    ...address(object(webhook, 'clientConfig'), parts),
    ...Object.fromEntries(copied.map((key) => [key, own(webhook, key)])),
  });
}

function conversion(definition: JsonObject, webhook: JsonObject, parts: OperatorParts): JsonObject {
  return {
    type: 'ConversionWebhook',
    generateName: `converts-${nameOf(definition)}`,
    ...address(object(webhook, 'clientConfig'), parts),
    sideEffects: 'None',
    admissionReviewVersions: strings(webhook, 'conversionReviewVersions'),
    conversionCRDs: [nameOf(definition)],
  };
}

function address(config: JsonObject, { deployment, services }: OperatorParts): JsonObject {
  const [port] = array(services.get(text(config, 'service', 'name')) ?? {}, 'spec', 'ports');
  return {
    deploymentName: nameOf(deployment),
    containerPort: at(config, 'service', 'port') ?? 443,
    targetPort: at(port, 'targetPort') ?? 9443,
    webhookPath: text(config, 'service', 'path'),
  };
}

/** Returns a definition whose conversion is called at the Service that OLM creates. */
export function withOlmService(definition: JsonObject, { deployment, namespace }: OperatorParts): JsonObject {
  const service = object(conversionOf(definition), 'clientConfig', 'service');
  const name = `${nameOf(deployment)}-service`;
  return putAt(definition, ['spec', 'conversion', 'webhook', 'clientConfig', 'service'], {
    ...service,
    ...{ name, namespace },
  });
}

/** Returns the options of a webhook that OLM cannot express. */
function limits(
  { file }: FileObject,
  webhook: JsonObject,
  { namespace }: OperatorParts,
): readonly InputProblem[] {
  const name = text(webhook, 'name');
  const fail = (what: string): InputProblem => error(`webhook ${name}: ${what}`, { file });
  const groups = array(webhook, 'rules').flatMap((rule) => strings(rule, 'apiGroups'));
  const refused = groups.filter((group) => forbiddenGroups.includes(group));
  return [
    ...refused.map((group) => fail(`OLM refuses webhooks of group ${group}: review objects of other groups`)),
    ...(own(webhook, 'matchConditions') === undefined
      ? []
      : [fail('OLM has no matchConditions: test the conditions in the handler')]),
    ...selectorLimits(webhook, namespace, fail, { file }),
  ];
}

function selectorLimits(
  webhook: JsonObject,
  namespace: string,
  fail: (what: string) => InputProblem,
  place: { readonly file: string },
): readonly InputProblem[] {
  const selector = own(webhook, 'namespaceSelector');
  if (selector === undefined) return [];
  const expressions = array(selector, 'matchExpressions');
  const [first] = expressions;
  const isUsual =
    at(selector, 'matchLabels') === undefined &&
    expressions.length === 1 &&
    text(first, 'operator') === 'NotIn' &&
    strings(first, 'values').every((each) => ['kube-system', namespace].includes(each));
  if (!isUsual)
    return [
      fail(
        'OLM has no namespaceSelector: select objects by objectSelector, or test the namespace in the handler',
      ),
    ];
  const everywhere = 'OLM calls it for all namespaces, also for kube-system and that of the operator';
  if (text(webhook, 'failurePolicy') !== 'Ignore')
    return [fail(`${everywhere}, so that a failure blocks the cluster: state failurePolicy: 'Ignore'`)];
  return [warning(`webhook ${text(webhook, 'name')}: ${everywhere}`, place)];
}
