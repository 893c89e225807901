/** Parts of the manifests of an operator, as OLM installs them. Pure. */
import {
  array,
  at,
  type Json,
  type JsonObject,
  object,
  omit,
  replace,
  strings,
  text,
} from '@kgen/schema/values/json';
import { append, type Checked, error, type InputProblem, warning } from '../../common/problems.ts';
import { certificateVolume } from '../../manifests/deployment/workload.ts';
import type { FileObject } from '../file-objects.ts';

/** Manifests of an operator. */
export interface OperatorParts {
  /** Its Deployment. */
  readonly deployment: JsonObject;
  readonly account: string;
  readonly namespace: string;
  /** Rules in the namespace of the operator. */
  readonly permissions: readonly JsonObject[];
  readonly clusterPermissions: readonly JsonObject[];
  readonly definitions: readonly FileObject[];
  /** Configurations of webhooks. */
  readonly configurations: readonly FileObject[];
  /** Services, by name. */
  readonly services: ReadonlyMap<string, JsonObject>;
  /** Objects that are part of a bundle as they are. */
  readonly others: readonly JsonObject[];
}

const kindOf = ({ value }: FileObject): string => text(value, 'kind');
const nameOf = (value: JsonObject): string => text(value, 'metadata', 'name');
const namespaceOf = (value: JsonObject): string => text(value, 'metadata', 'namespace');

/** Kinds that a bundle may contain beside definitions, of those that kgen writes. */
const bundled = ['ClusterRole', 'Service', 'PodDisruptionBudget', 'ConfigMap'];
/** Kinds whose content is part of the ClusterServiceVersion, or that OLM creates. */
const installed = [
  ...['CustomResourceDefinition', 'Deployment', 'Namespace', 'ServiceAccount'],
  ...['Role', 'RoleBinding', 'ClusterRoleBinding'],
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
];

/** Sorts the objects of `config`. */
export function operatorParts(objects: readonly FileObject[]): Checked<OperatorParts | undefined> {
  const [deployment] = objects.filter((each) => kindOf(each) === 'Deployment');
  if (deployment === undefined)
    return {
      value: undefined,
      problems: [
        error('config has no Deployment: add deployment to kgen.config, run kgen, then kgen bundle', {
          file: 'config',
        }),
      ],
    };
  const { value } = deployment;
  const account = text(value, 'spec', 'template', 'spec', 'serviceAccountName');
  const namespace = namespaceOf(value);
  const configurations = objects.filter((each) => kindOf(each).endsWith('WebhookConfiguration'));
  const definitions = objects.filter((each) => kindOf(each) === 'CustomResourceDefinition');
  const services = new Map(
    objects.filter((each) => kindOf(each) === 'Service').map((each) => [nameOf(each.value), each.value]),
  );
  const { problems, rules, bound } = boundRules(objects, account, namespace);
  const kept = (list: readonly JsonObject[]): readonly JsonObject[] =>
    list.filter((rule) => !isOfCertificates(rule, nameOf(value), definitions));
  const ofWebhooks = webhookServices(configurations, definitions);
  const others = objects.filter(
    (each) =>
      bundled.includes(kindOf(each)) &&
      !bound.has(each) &&
      !(kindOf(each) === 'Service' && ofWebhooks.has(nameOf(each.value))),
  );
  return {
    value: {
      ...{ deployment: withoutCertificate(value), account, namespace, definitions, configurations, services },
      permissions: kept(rules.own),
      clusterPermissions: kept(rules.cluster),
      others: others.map((each) =>
        replace(each.value, 'metadata', omit(object(each.value, 'metadata'), 'namespace')),
      ),
    },
    problems: [...problems, ...objects.flatMap(unsupported)],
  };
}

/** OLM mounts a certificate of its own into the folder. */
function withoutCertificate(deployment: JsonObject): JsonObject {
  const spec = object(deployment, 'spec');
  const template = object(spec, 'template');
  const pod = object(template, 'spec');
  const isOther = (each: Json): boolean => text(each, 'name') !== certificateVolume;
  const without = (owner: JsonObject, key: string): JsonObject => {
    const present = array(owner, key);
    const kept = present.filter(isOther);
    if (kept.length === present.length) return owner;
    return kept.length === 0 ? omit(owner, key) : replace(owner, key, kept);
  };
  const containers = array(pod, 'containers').map((each) => without(object(each), 'volumeMounts'));
  const other = replace(without(pod, 'volumes'), 'containers', containers);
  return replace(deployment, 'spec', replace(spec, 'template', replace(template, 'spec', other)));
}

function unsupported(each: FileObject): readonly InputProblem[] {
  const kind = kindOf(each);
  const isOfOlm = each.file.endsWith('webhook/certificate.yaml');
  if (installed.includes(kind) || bundled.includes(kind) || isOfOlm) return [];
  const what = `OLM cannot install the ${kind} ${nameOf(each.value)}: it is left out, apply ${each.file} beside the bundle`;
  return [warning(what, { file: each.file })];
}

interface BoundRules {
  readonly rules: { readonly own: readonly JsonObject[]; readonly cluster: readonly JsonObject[] };
  /** Roles of the account. */
  readonly bound: ReadonlySet<FileObject>;
  readonly problems: readonly InputProblem[];
}

/** Returns the rules of the roles that are bound to the account. */
function boundRules(objects: readonly FileObject[], account: string, namespace: string): BoundRules {
  const own: JsonObject[] = [];
  const cluster: JsonObject[] = [];
  const bound = new Set<FileObject>();
  const problems: InputProblem[] = [];
  const bindings = objects.filter(
    (each) =>
      kindOf(each).endsWith('RoleBinding') &&
      array(each.value, 'subjects').some(
        (subject) => text(subject, 'kind') === 'ServiceAccount' && text(subject, 'name') === account,
      ),
  );
  for (const binding of bindings) {
    const [kind, name] = [text(binding.value, 'roleRef', 'kind'), text(binding.value, 'roleRef', 'name')];
    const place = namespaceOf(binding.value);
    const role = objects.find(
      (each) =>
        kindOf(each) === kind &&
        nameOf(each.value) === name &&
        (kind === 'ClusterRole' || namespaceOf(each.value) === place),
    );
    if (role === undefined) continue;
    bound.add(role);
    const rules = array(role.value, 'rules') as readonly JsonObject[]; // seam: kgen has written the roles
    if (kindOf(binding) === 'ClusterRoleBinding') append(cluster, rules);
    else if (place === namespace) append(own, rules);
    else
      problems.push(
        error(
          `OLM cannot grant permissions in namespace ${place} alone: let the operator watch all namespaces, without --watch-namespaces`,
          { file: binding.file },
        ),
      );
  }
  return { rules: { own, cluster }, bound, problems };
}

/** Verbs by which replicas keep a certificate and its authority. */
const keeping = ['get', 'list', 'watch', 'patch', 'update'];

/**
 * Returns whether a rule is for a certificate that replicas keep: OLM mounts one, and writes its authority.
 */
function isOfCertificates(rule: JsonObject, name: string, definitions: readonly FileObject[]): boolean {
  const [groups, resources, names] = [
    strings(rule, 'apiGroups').join(),
    strings(rule, 'resources'),
    strings(rule, 'resourceNames'),
  ];
  if (names.length === 0 || !strings(rule, 'verbs').every((verb) => keeping.includes(verb))) return false;
  if (groups === 'admissionregistration.k8s.io')
    return resources.every((each) => each.endsWith('webhookconfigurations')) && names.join() === name;
  if (groups === 'apiextensions.k8s.io')
    return (
      resources.join() === 'customresourcedefinitions' &&
      names.every((each) => definitions.some(({ value }) => nameOf(value) === each && conversionOf(value)))
    );
  return groups === '' && resources.join() === 'secrets' && names.join() === `${name}-webhook-certificates`;
}

/** Returns the settings of the conversion webhook of a definition. */
export function conversionOf(definition: JsonObject): JsonObject | undefined {
  const isWebhook = text(definition, 'spec', 'conversion', 'strategy') === 'Webhook';
  return isWebhook ? object(definition, 'spec', 'conversion', 'webhook') : undefined;
}

/** Returns the names of the Services of webhooks, in place of which OLM creates its own. */
function webhookServices(
  configurations: readonly FileObject[],
  definitions: readonly FileObject[],
): ReadonlySet<string> {
  const configs = [
    ...configurations.flatMap(({ value }) =>
      array(value, 'webhooks').map((each) => at(each, 'clientConfig')),
    ),
    ...definitions.map(({ value }) => at(conversionOf(value), 'clientConfig')),
  ];
  return new Set(configs.map((each) => text(each, 'service', 'name')).filter((name) => name !== ''));
}
