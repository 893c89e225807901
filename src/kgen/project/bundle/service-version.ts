/** ClusterServiceVersion of an operator. Pure. */
import { array, isObject, type JsonObject, object, omit, own, text } from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import { installModes } from '../../config/bundle.ts';
import type { FileObject } from '../file-objects.ts';
import { type BundleFacts, versionName } from './facts.ts';
import type { OperatorParts } from './operator.ts';

/** Lists of a ClusterServiceVersion. */
export interface ServiceVersionLists {
  readonly owned: readonly JsonObject[];
  readonly webhooks: readonly JsonObject[];
  readonly examples: readonly FileObject[];
}

/** Returns the object. */
export function serviceVersion(
  facts: BundleFacts,
  parts: OperatorParts,
  lists: ServiceVersionLists,
): JsonObject {
  const { owned, webhooks, examples } = lists;
  const { requires = [], replaces, skips = [] } = facts;
  const images = relatedImages(parts);
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: versionName(facts, facts.version),
      annotations: annotations(facts, parts, examples),
    },
    spec: {
      displayName: facts.displayName,
      description: facts.description,
      version: facts.version,
      ...(replaces !== undefined && { replaces: versionName(facts, replaces) }),
      ...(skips.length > 0 && { skips: skips.map((each) => versionName(facts, each)) }),
      maturity: facts.maturity,
      minKubeVersion: facts.minKubeVersion ?? oldestKubernetes(parts),
      provider: { ...facts.provider },
      ...listsOf(facts),
      icon: [{ ...facts.icon }],
      installModes: installModes.map((type) => ({ type, supported: facts.installModes.includes(type) })),
      install: installStrategy(parts),
      customresourcedefinitions: {
        owned,
        ...(requires.length > 0 && {
          required: requires.map((each) => ({ ...each, displayName: each.kind })),
        }),
      },
      ...(webhooks.length > 0 && { webhookdefinitions: webhooks }),
      relatedImages: images,
    },
  };
}

function listsOf({ keywords, maintainers, links }: BundleFacts): JsonObject {
  return {
    ...(keywords.length > 0 && { keywords }),
    ...(maintainers.length > 0 && { maintainers: maintainers.map((each) => ({ ...each })) }),
    ...(links.length > 0 && { links: links.map((each) => ({ ...each })) }),
  };
}

/** Longest description in lists of operators, in characters. */
const maxSummary = 135;

function annotations(facts: BundleFacts, parts: OperatorParts, examples: readonly FileObject[]): JsonObject {
  const { categories = [], skipRange, repository, description } = facts;
  const [first = ''] = description.split('\n');
  const [image] = containersOf(parts);
  const objects = examples.map(({ value }) =>
    writeJson({ ...value, metadata: omit(object(value, 'metadata'), 'namespace') }),
  );
  return {
    'alm-examples': `[\n${objects.join(',\n')}\n]`,
    capabilities: facts.capabilities,
    ...(categories.length > 0 && { categories: categories.join(', ') }),
    containerImage: text(image, 'image'),
    description: first.length > maxSummary ? `${first.slice(0, maxSummary - 1)}…` : first,
    ...(repository !== undefined && { repository }),
    support: facts.provider.name,
    'operatorframework.io/suggested-namespace': parts.namespace,
    ...(skipRange !== undefined && { 'olm.skipRange': skipRange }),
  };
}

function installStrategy({
  deployment,
  account,
  permissions,
  clusterPermissions,
}: OperatorParts): JsonObject {
  const granted = (rules: readonly JsonObject[]): readonly JsonObject[] =>
    rules.length === 0 ? [] : [{ serviceAccountName: account, rules }];
  const [own, cluster] = [granted(permissions), granted(clusterPermissions)];
  return {
    strategy: 'deployment',
    spec: {
      deployments: [
        {
          name: text(deployment, 'metadata', 'name'),
          label: object(deployment, 'metadata', 'labels'),
          spec: object(deployment, 'spec'),
        },
      ],
      ...(own.length > 0 && { permissions: own }),
      ...(cluster.length > 0 && { clusterPermissions: cluster }),
    },
  };
}

/** Returns the containers of the Pods. */
export function containersOf({ deployment }: OperatorParts): readonly JsonObject[] {
  return array(deployment, 'spec', 'template', 'spec', 'containers').filter(isObject);
}

/** Images of the Pods, and of variables RELATED_IMAGE_NAME, by which operators name images that they run. */
function relatedImages(parts: OperatorParts): readonly JsonObject[] {
  const variable = /^RELATED_IMAGE_/;
  return containersOf(parts).flatMap((container) => [
    { name: text(container, 'name'), image: text(container, 'image') },
    ...array(container, 'env').flatMap((each) => {
      const name = text(each, 'name');
      if (!variable.test(name)) return [];
      const short = name.replace(variable, '').toLowerCase().replaceAll('_', '-');
      return [{ name: short, image: text(each, 'value') }];
    }),
  ]);
}

/** Releases of Kubernetes from which on a feature of definitions is stable. */
const releases: readonly (readonly [version: string, has: (version: JsonObject) => boolean])[] = [
  ['1.32.0', (version) => array(version, 'selectableFields').length > 0],
];

/** Returns the oldest release with all features of the definitions; rules in CEL are stable since 1.29. */
function oldestKubernetes({ definitions }: OperatorParts): string {
  const versions = definitions.flatMap(({ value }) => array(value, 'spec', 'versions').filter(isObject));
  const found = releases.find(([, has]) =>
    versions.some((each) => own(each, 'served') === true && has(each)),
  );
  return found?.[0] ?? '1.29.0';
}
