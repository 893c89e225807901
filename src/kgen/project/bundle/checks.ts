/** Checks of a bundle: the six tests of the scorecard of Operator SDK, and the limits of OLM v1. Pure. */
import { fieldMessage } from '@kgen/runtime/objects';
import { array, isObject, type JsonObject, object, strings, text } from '@kgen/schema/values/json';
import { error, type InputProblem, warning } from '../../common/problems.ts';
import { judgeOf } from '../../manifests/changes/stored-objects.ts';
import type { FileObject } from '../file-objects.ts';
import { type DescribedPart, describedFields, descriptorsOf } from './descriptors.ts';
import type { BundleFacts } from './facts.ts';
import type { OperatorParts } from './operator.ts';
import type { OwnedVersion } from './owned.ts';

/** Tests of the scorecard. */
type ScorecardTest =
  | 'basic-check-spec'
  | 'olm-bundle-validation'
  | 'olm-crds-have-validation'
  | 'olm-crds-have-resources'
  | 'olm-spec-descriptors'
  | 'olm-status-descriptors';

/** A reason for which a test of the scorecard fails. */
export interface FailedTest {
  readonly test: ScorecardTest;
  readonly problem: InputProblem;
}

/** Parts of a bundle that the tests read. */
export interface TestedBundle {
  readonly versions: readonly OwnedVersion[];
  readonly owned: readonly JsonObject[];
  readonly examples: readonly FileObject[];
  /** Paths of the samples, for messages. */
  readonly samples: string;
}

/** Runs the tests of the scorecard. */
export function scorecard({ versions, owned, examples, samples }: TestedBundle): readonly FailedTest[] {
  return versions.flatMap((version, index) => {
    const own = examples.filter(({ value }) => isOf(value, version));
    // One version of a kind is enough: the validators of OLM only warn about others.
    const isShown = versions.some(
      (other) => isSameKind(other, version) && examples.some(({ value }) => isOf(value, other)),
    );
    const missing = `the bundle has no example of ${version.kind} ${version.version}: add one to ${samples}`;
    return [
      ...(!isShown ? [failed('olm-bundle-validation', missing, { file: version.file })] : []),
      ...schemaTests(version),
      ...(array(owned[index], 'resources').length === 0
        ? [failed('olm-crds-have-resources', `${version.kind} has no resources`, { file: version.file })]
        : []),
      ...own.flatMap((example) => [
        ...exampleTests(version, example),
        ...descriptorTests(version, example, 'spec', 'olm-spec-descriptors'),
        ...descriptorTests(version, example, 'status', 'olm-status-descriptors'),
      ]),
    ];
  });
}

/** Returns whether an object is one of a version. */
export function isOf(value: JsonObject, { group, version, kind }: OwnedVersion): boolean {
  return text(value, 'apiVersion') === `${group}/${version}` && text(value, 'kind') === kind;
}

function isSameKind(one: OwnedVersion, other: OwnedVersion): boolean {
  return one.group === other.group && one.kind === other.kind;
}

function failed(test: ScorecardTest, what: string, where: InputProblem['where']): FailedTest {
  return { test, problem: warning(`${test}: ${what}`, where) };
}

function schemaTests({ json, kind, version, file }: OwnedVersion): readonly FailedTest[] {
  const schema = object(json, 'schema', 'openAPIV3Schema');
  if (Object.keys(object(schema, 'properties')).length > 0) return [];
  const what = `${kind} ${version} has no schema: declare the fields of its type`;
  return [failed('olm-crds-have-validation', what, { file })];
}

function exampleTests({ json, kind }: OwnedVersion, example: FileObject): readonly FailedTest[] {
  const schema = object(json, 'schema', 'openAPIV3Schema');
  const hasSpec = isObject(object(schema, 'properties')['spec']);
  const spec = Object.keys(object(example.value, 'spec')).length;
  const { errors, dropped } = judgeOf(schema)(example.value);
  const stepsOf = (path: string): readonly string[] => path.split(/[.[\]]+/).filter((step) => step !== '');
  return [
    ...(hasSpec && spec === 0
      ? [
          failed(
            'basic-check-spec',
            `the ${kind} has no spec: add the fields of its spec`,
            example.placeAt([]),
          ),
        ]
      : []),
    ...dropped.map((path) =>
      failed(
        'olm-crds-have-validation',
        `${path} is not a field of ${kind}: correct its name, or add it to the type`,
        example.placeAt(stepsOf(path)),
      ),
    ),
    ...errors.map((each) =>
      failed(
        'olm-crds-have-validation',
        `${fieldMessage(each)}: correct the value`,
        example.placeAt(stepsOf(each.field)),
      ),
    ),
  ];
}

function descriptorTests(
  { json, kind }: OwnedVersion,
  example: FileObject,
  part: DescribedPart,
  test: ScorecardTest,
): readonly FailedTest[] {
  const described = describedFields(descriptorsOf(json, part));
  return Object.keys(object(example.value, part))
    .filter((field) => !described.has(field))
    .map((field) => {
      const what = `${part}.${field} has no descriptor: declare the field in the type of ${kind}`;
      return failed(test, what, example.placeAt([part, field]));
    });
}

const release = "or set bundle.olm to 'v0'";

/** Returns the errors of settings that OLM does not support, or OLM v1 does not. */
export function olmLimits(
  { installModes, requires = [], olm }: BundleFacts,
  { permissions, clusterPermissions }: OperatorParts,
  webhooks: readonly JsonObject[],
): readonly InputProblem[] {
  const limited = installModes.filter((mode) => mode !== 'AllNamespaces');
  const converts = webhooks.some((each) => text(each, 'type') === 'ConversionWebhook');
  const isWhole = limited.length === 0 && installModes.length > 0;
  const usesConditions = [...permissions, ...clusterPermissions].some((rule) =>
    strings(rule, 'resources').some((each) => each.startsWith('operatorconditions')),
  );
  const conversion = `bundle.installModes: definitions with a conversion webhook need AllNamespaces alone: remove ${limited.join(', ')}`;
  if (converts && !isWhole) return [error(conversion)];
  if (olm === 'v0') return [];
  return [
    ...(isWhole
      ? []
      : [
          error(
            `bundle.installModes: OLM v1 installs operators for AllNamespaces only: remove ${limited.join(', ')}, ${release}`,
          ),
        ]),
    ...(requires.length === 0
      ? []
      : [
          error(
            `bundle.requires: OLM v1 does not install dependencies: document ${requires.map(({ name }) => name).join(', ')} as a requirement, ${release}`,
          ),
        ]),
    ...(usesConditions
      ? [error(`OLM v1 has no OperatorConditions: do not request operatorconditions, ${release}`)]
      : []),
  ];
}

/** Returns a warning for permissions of kinds of others, which another operator installs. */
export function foreignKinds(
  { permissions, clusterPermissions, definitions }: OperatorParts,
  { requires = [] }: BundleFacts,
): readonly InputProblem[] {
  const known = new Set([
    ...definitions.map(({ value }) => text(value, 'spec', 'group')),
    ...requires.map(({ name }) => name.slice(name.indexOf('.') + 1)),
  ]);
  const groups = [...permissions, ...clusterPermissions].flatMap((rule) => strings(rule, 'apiGroups'));
  const foreign = new Set(
    groups.filter((group) => group.includes('.') && !/(^|\.)k8s\.io$/.test(group) && !known.has(group)),
  );
  return [...foreign].map((group) =>
    warning(
      `the operator uses kinds of ${group}, which the bundle does not contain: add them to bundle.requires, or document them`,
    ),
  );
}
