/** Environment variables of containers, and the sources of their values. */
import { type FieldError, invalidValue, notSupported } from '@kgen/runtime/objects';
import { array, isObject, object, own, text } from '@kgen/schema/values/json';
import { below, type Check, first, members, named, present, valid, whole } from '../support/checks.ts';
import { configKeyProblems, environmentProblem, labelProblem, subdomainProblem } from '../support/names.ts';

const fieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const resourceFields = ['cpu', 'ephemeral-storage', 'memory'].flatMap((name) => [
  `limits.${name}`,
  `requests.${name}`,
]);

const fieldRef: Check = members({
  fieldPath: first(present(), (value, path) => {
    const field = String(value);
    if (fieldPaths.includes(field) || /^metadata\.(labels|annotations)\['[^']+'\]$/.test(field)) return [];
    if (/^metadata\.(labels|annotations)$/.test(field))
      return [notSupported(path, field, [...fieldPaths].sort())];
    return [invalidValue(path, field, `error converting fieldPath: field label not supported: ${field}`)];
  }),
});
const units = ['1', ...['k', 'M', 'G', 'T', 'P', 'E'].map((unit) => `1${unit}`)];
const byteUnits = [...units, ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`)];

/** Resources whose values may be divided, and by which units. */
const divisors: readonly (readonly [resource: RegExp, units: readonly string[], name: string])[] = [
  [/^(?:limits|requests)\.cpu$/, ['1m', '1'], 'cpu'],
  [/^(?:limits|requests)\.memory$/, byteUnits, 'memory'],
  [/^(?:limits|requests)\.ephemeral-storage$/, byteUnits, 'local ephemeral storage'],
  [/^(?:limits|requests)\.hugepages-/, byteUnits, 'hugepages'],
];

/** The error has the resource as its value. */
const divisor: Check = whole((value, path) => {
  const [resource, unit] = [text(value, 'resource'), String(own(value, 'divisor') ?? '0')];
  const [, allowed, name] = divisors.find(([form]) => form.test(resource)) ?? [];
  if (allowed === undefined || unit === '0' || allowed.includes(unit)) return [];
  const [last = '', ...others] = allowed.toReversed();
  const list = name === 'cpu' ? `${others.join(', ')} and ${last}` : allowed.join(', ');
  const detail = `only divisor's values ${list} are supported with the ${name} resource`;
  return [invalidValue(below(path, 'divisor'), resource, detail)];
});

const resourceName: Check = members({
  resource: first(present(), (value, path) =>
    resourceFields.includes(String(value)) || /^(limits|requests)\.hugepages-/.test(String(value))
      ? []
      : [notSupported(path, value ?? '', [...resourceFields].sort())],
  ),
});
const resourceFieldRef = first(resourceName, divisor);
const keyRef: Check = members({
  name: (value, path) => valid(subdomainProblem)(value ?? '', path),
  key: named(configKeyProblems),
});

const sources: Readonly<Record<string, Check>> = {
  fieldRef,
  resourceFieldRef,
  configMapKeyRef: keyRef,
  secretKeyRef: keyRef,
  fileKeyRef: members({
    key: named(environmentProblem),
    volumeName: named(labelProblem),
    path: named((path) => (path.split('/').includes('..') ? "must not contain '..'" : undefined)),
  }),
};

/** Validates a variable of `env`. */
export const environment: Check = whole((value, path) => {
  const from = own(value, 'valueFrom');
  const given = Object.keys(sources).filter((name) => isObject(own(from, name)));
  const at = below(path, 'valueFrom');
  return [
    ...named(environmentProblem)(own(value, 'name'), below(path, 'name')),
    ...(isObject(from) && text(value, 'value') !== ''
      ? [invalidValue(at, '', 'may not be specified when `value` is not empty')]
      : []),
    ...(isObject(from) && given.length === 0
      ? [
          invalidValue(
            at,
            '',
            'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
          ),
        ]
      : []),
    ...(given.length > 1
      ? [invalidValue(at, '', 'may not have more than one field specified at a time')]
      : []),
    ...given.flatMap((name) => sources[name]?.(own(from, name), below(at, name)) ?? []),
  ];
});

/** Requires that the files of variables of a pod are in volumes that its containers share. */
export const environmentFiles: Check = (value, path) => {
  const volumes = array(value, 'volumes');
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    array(value, list).flatMap((container, index) =>
      array(container, 'env').flatMap((variable, position): readonly FieldError[] => {
        const ref = own(object(variable, 'valueFrom'), 'fileKeyRef');
        if (ref === undefined) return [];
        const field = `${path}.${list}[${index}].env[${position}].valueFrom.fileKeyRef.volumeName`;
        const name = text(ref, 'volumeName');
        const volume = volumes.find((each) => text(each, 'name') === name);
        if (volume === undefined) return [{ reason: 'FieldValueNotFound', field, value: name }];
        if (own(volume, 'emptyDir') !== undefined) return [];
        return [invalidValue(field, name, 'referenced volume must be of type emptyDir')];
      }),
    ),
  );
};

/** Validates `envFrom`. */
export const environmentFrom: Check = (value, path) =>
  array(value).flatMap((item, index) => {
    const at = `${path}[${index}]`;
    const refs = ['configMapRef', 'secretRef'].filter((name) => isObject(own(item, name)));
    return [
      ...valid((prefix) => (prefix === '' ? undefined : environmentProblem(prefix)))(
        own(item, 'prefix'),
        `${at}.prefix`,
      ),
      ...refs.flatMap((name) => named(subdomainProblem)(text(item, name, 'name'), `${at}.${name}.name`)),
      ...(refs.length === 0
        ? [invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`')]
        : []),
      ...(refs.length > 1
        ? [invalidValue(path, '', 'may not have more than one field specified at a time')]
        : []),
    ];
  });
