/** Validation of containers. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import { array, isArray, isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import {
  all,
  below,
  between,
  type Check,
  each,
  first,
  isEmpty,
  listed,
  members,
  named,
  nonNegative,
  oneOf,
  optional,
  present,
  requiredOneOf,
  unique,
  valid,
  whole,
} from '../support/checks.ts';
import { labelProblem, portNameProblems } from '../support/names.ts';

import { resources } from './container-resources.ts';
import { environment, environmentFrom } from './environment.ts';

const id = optional(between(0, 2 ** 31 - 1));

const port: Check = members({
  name: valid((name) => (name === '' ? undefined : portNameProblems(name))),
  containerPort: first(present(), between(1, 65_535)),
  hostPort: optional((value, path) => (value === 0 ? [] : between(1, 65_535)(value, path))),
  protocol: requiredOneOf('TCP', 'UDP', 'SCTP'),
});

const portNumber: Check = (value, path) =>
  typeof value === 'string' ? valid(portNameProblems)(value, path) : between(1, 65_535)(value ?? 0, path);

const handlers: Readonly<Record<string, Check>> = {
  exec: members({ command: present() }),
  httpGet: members({
    path: present(),
    port: portNumber,
    scheme: oneOf('HTTP', 'HTTPS'),
    // As on a real server, at the list.
    httpHeaders: (value, path) =>
      array(value).flatMap((header) => valid(headerProblem)(text(header, 'name'), path)),
  }),
  tcpSocket: members({ port: portNumber }),
  grpc: members({ port: portNumber }),
  sleep: () => [],
};

function headerProblem(value: string): string | undefined {
  if (/^[-A-Za-z0-9]+$/.test(value)) return undefined;
  return "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
}

const handler: Check = (value, path) => {
  const given = Object.keys(handlers).filter((name) => isObject(own(value, name)));
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  return given.flatMap((name, index) =>
    index > 0
      ? [forbiddenField(below(path, name), 'may not specify more than 1 handler type')]
      : (handlers[name]?.(own(value, name), below(path, name)) ?? []),
  );
};

const probe = optional(
  handler,
  members({
    initialDelaySeconds: nonNegative,
    timeoutSeconds: nonNegative,
    periodSeconds: nonNegative,
    successThreshold: nonNegative,
    failureThreshold: nonNegative,
  }),
);

const onlyOnce: Check = (value, path) => {
  const threshold = own(value, 'successThreshold');
  if (threshold === undefined || threshold === 1) return [];
  return [invalidValue(below(path, 'successThreshold'), threshold, 'must be 1')];
};

const lifecycle = optional(members({ postStart: optional(handler), preStop: optional(handler) }));

/** Validates the seccomp profile of a pod or a container. */
export const seccompProfile: Check = optional(
  members({
    type: first(
      present('type is required when seccompProfile is set'),
      oneOf('Localhost', 'RuntimeDefault', 'Unconfined'),
    ),
  }),
);

const securityContext = optional(
  members({
    runAsUser: id,
    runAsGroup: id,
    procMount: optional(oneOf('Default', 'Unmasked')),
    seccompProfile,
  }),
  whole((value, path) =>
    own(value, 'privileged') === true && own(value, 'allowPrivilegeEscalation') === false
      ? [
          invalidValue(
            path,
            internalContext(value),
            'cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
          ),
        ]
      : [],
  ),
);

/** The server prints the members of its internal type. */
function internalContext(value: JsonObject): JsonObject {
  const names = [
    'Capabilities',
    'Privileged',
    'SELinuxOptions',
    'WindowsOptions',
    'RunAsUser',
    'RunAsGroup',
    'RunAsNonRoot',
    'ReadOnlyRootFilesystem',
    'AllowPrivilegeEscalation',
    'ProcMount',
    'SeccompProfile',
    'AppArmorProfile',
  ];
  const json = (name: string): string =>
    name.startsWith('SEL') ? 'seLinuxOptions' : name.charAt(0).toLowerCase() + name.slice(1);
  return Object.fromEntries(names.map((name) => [name, own(value, json(name)) ?? null]));
}

const image = first(present(), (value, path) =>
  String(value).trim() === value
    ? []
    : [invalidValue(path, String(value), 'must not have leading or trailing whitespace')],
);

const probes = members({
  lifecycle,
  livenessProbe: all(probe, optional(onlyOnce)),
  readinessProbe: all(
    probe,
    members({
      terminationGracePeriodSeconds: (value, path) =>
        value === undefined ? [] : [invalidValue(path, value, 'must not be set for readinessProbes')],
    }),
  ),
  startupProbe: all(probe, optional(onlyOnce)),
});

/** Validates containers, which mount these volumes. */
export function containers(volumes: ReadonlySet<string>): Check {
  return first(present(), all(each(common(volumes), probes), unique('name')));
}

/** Validates `restartPolicy` of a container. */
const containerRestart = optional(listed('Always', 'Never', 'OnFailure'));

function common(volumes: ReadonlySet<string>): Check {
  return members({
    restartPolicy: containerRestart,
    name: named(labelProblem),
    image,
    imagePullPolicy: requiredOneOf('Always', 'IfNotPresent', 'Never'),
    terminationMessagePolicy: first(present(), listed('File', 'FallbackToLogsOnError')),
    ports: all(each(port), unique('name')),
    env: each(environment),
    envFrom: environmentFrom,
    volumeMounts: mounts(volumes),
    volumeDevices: each(members({ name: first(present(), isVolume(volumes)) })),
    securityContext,
    resources,
  });
}

/** Returns the check of the name of one of these volumes. */
function isVolume(volumes: ReadonlySet<string>): Check {
  return (value, path) => {
    const name = String(value);
    return volumes.has(name) ? [] : [{ reason: 'FieldValueNotFound', field: path, value: name }];
  };
}

/** Returns the check of the mounts of a container in a pod with these volumes. */
function mounts(volumes: ReadonlySet<string>): Check {
  return (value, path) => {
    const seen = new Set<string>();
    return array(value).flatMap((item, index) => {
      const at = `${path}[${index}]`;
      const [name, mountPath] = [text(item, 'name'), text(item, 'mountPath')];
      const isRepeated = mountPath !== '' && seen.has(mountPath);
      seen.add(mountPath);
      return [
        ...present()(name, `${at}.name`),
        ...(volumes.has(name)
          ? []
          : [{ reason: 'FieldValueNotFound', field: `${at}.name`, value: name } as const]),
        ...present()(mountPath, `${at}.mountPath`),
        ...(isRepeated ? [invalidValue(`${at}.mountPath`, mountPath, 'must be unique')] : []),
        // As on a real server, without the index.
        ...subPathErrors(text(item, 'subPath'), `${path}.subPath`),
      ];
    });
  };
}

function subPathErrors(subPath: string, path: string): readonly FieldError[] {
  if (subPath.startsWith('/')) return [invalidValue(path, subPath, 'must be a relative path')];
  return subPath.split('/').includes('..') ? [invalidValue(path, subPath, "must not contain '..'")] : [];
}

/** Validates init containers, whose names differ from those of the containers. */
export function initContainers(volumes: ReadonlySet<string>, names: ReadonlySet<string>): Check {
  return all(
    each(common(volumes)),
    (value, path) =>
      (isArray(value) ? value : []).flatMap((item, index) => initErrors(item, `${path}[${index}]`, names)),
    unique('name'),
  );
}

function initErrors(item: Json, path: string, names: ReadonlySet<string>): readonly FieldError[] {
  const name = text(item, 'name');
  const duplicate = names.has(name)
    ? [{ reason: 'FieldValueDuplicate', field: `${path}.name`, value: name } as const]
    : [];
  if (text(item, 'restartPolicy') === 'Always') return [...duplicate, ...probes(item, path)];
  const detail = 'may not be set for init containers without restartPolicy=Always';
  return [
    ...duplicate,
    ...['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
      .filter((key) => !isEmpty(own(item, key)))
      .map((key) => forbiddenField(below(path, key), detail)),
  ];
}
