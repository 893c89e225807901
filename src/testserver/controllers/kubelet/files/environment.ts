/** Environment variables and commands of containers. */

import { isUtf8 } from 'node:buffer';
import { array, type Json, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';
import { namespaceOf } from '../../../store/object-facts.ts';
import type { Cluster, ResourcePath } from '../../cluster.ts';
import { configMaps, nodes, secrets, services } from '../../workloads/paths.ts';
import { fieldValue, resourceValue } from './downward.ts';
import { envFileValue } from './env-file.ts';

/** Environment of a container, or the reason for which it cannot be created. */
export interface Environment {
  readonly values: Readonly<Record<string, string>>;
  readonly problem?: string;
}

/** Objects to which variables refer, by the names of their references. */
const sources: readonly { readonly ref: string; readonly list: string; readonly path: ResourcePath }[] = [
  { ref: 'configMapKeyRef', list: 'configMapRef', path: configMaps },
  { ref: 'secretKeyRef', list: 'secretRef', path: secrets },
];

/** Returns the content of a file that a container has written into a volume. */
export type ReadVolume = (volume: string, path: string) => string | undefined;

/** Returns the environment of a container. */
export function environmentOf(
  cluster: Cluster,
  pod: JsonObject,
  container: Json,
  read: ReadVolume,
): Environment {
  const problem = missingSource(cluster, pod, container) ?? missingKey(container, read);
  if (problem !== undefined) return { values: {}, problem };
  const values: Record<string, string> = { ...serviceVariables(cluster, pod) };
  for (const each of array(container, 'envFrom')) Object.assign(values, fromObject(cluster, pod, each));
  for (const each of array(container, 'env')) {
    const file = own(object(each, 'valueFrom'), 'fileKeyRef');
    const value =
      file === undefined ? variable(cluster, pod, container, each) : fileValue(file, read) || undefined;
    if (value !== undefined) values[text(each, 'name')] = expanded(value, values);
  }
  return { values };
}

/** Returns the message for a ConfigMap, Secret or key that is missing and not optional. */
export function missingSource(cluster: Cluster, pod: JsonObject, container: Json): string | undefined {
  const namespace = namespaceOf(pod);
  for (const each of array(container, 'envFrom')) {
    for (const { list, path } of sources) {
      const ref = own(object(each), list);
      if (ref === undefined || isOptional(ref)) continue;
      const name = text(ref, 'name');
      if (cluster.get(path, `${namespace}/${name}`) === undefined) return missing(path, name);
    }
  }
  for (const each of array(container, 'env')) {
    for (const { ref, path } of sources) {
      const found = own(object(each, 'valueFrom'), ref);
      if (found === undefined || isOptional(found)) continue;
      const name = text(found, 'name');
      const source = cluster.get(path, `${namespace}/${name}`);
      if (source === undefined) return missing(path, name);
      const key = text(found, 'key');
      if (!dataOf(path, source).has(key))
        return `couldn't find key ${key} in ${path.kind} ${namespace}/${name}`;
    }
  }
  return undefined;
}

/** Returns the message for a file of variables that is missing or malformed, or that lacks a key. */
function missingKey(container: Json, read: ReadVolume): string | undefined {
  for (const each of array(container, 'env')) {
    const ref = own(object(each, 'valueFrom'), 'fileKeyRef');
    if (ref === undefined) continue;
    const value = fileValue(ref, read);
    if (value === undefined) return "couldn't parse env file";
    const [key, path] = [text(ref, 'key'), text(ref, 'path')];
    if (value === '' && !isOptional(ref))
      return `environment variable key "${key}" not found in file "${path}"`;
  }
  return undefined;
}

function fileValue(ref: Json, read: ReadVolume): string | undefined {
  const content = read(text(ref, 'volumeName'), text(ref, 'path'));
  return content === undefined ? undefined : envFileValue(content, text(ref, 'key'));
}

function missing({ kind }: ResourcePath, name: string): string {
  return `${kind.toLowerCase()} "${name}" not found`;
}

function isOptional(ref: Json): boolean {
  return own(object(ref), 'optional') === true;
}

/** Returns the entries of a ConfigMap or Secret: as UTF-8, or with a character per byte. */
export function dataOf({ kind }: ResourcePath, source: JsonObject | undefined): ReadonlyMap<string, string> {
  const plain = object(source, 'data');
  const decoded = (value: string): string => {
    const bytes = Buffer.from(value, 'base64');
    return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  };
  const isSecret = kind === 'Secret';
  return new Map([
    ...Object.keys(plain).map(
      (key) => [key, isSecret ? decoded(text(plain, key)) : text(plain, key)] as const,
    ),
    ...Object.entries(object(source, 'binaryData')).map(
      ([key, value]) => [key, decoded(String(value))] as const,
    ),
  ]);
}

function fromObject(cluster: Cluster, pod: JsonObject, each: Json): Record<string, string> {
  const prefix = text(each, 'prefix');
  const entries = sources.flatMap(({ list, path }) => {
    const name = text(each, list, 'name');
    if (name === '') return [];
    return [...dataOf(path, cluster.get(path, `${namespaceOf(pod)}/${name}`))];
  });
  return Object.fromEntries(entries.map(([key, value]) => [prefix + key, value]));
}

function variable(cluster: Cluster, pod: JsonObject, container: Json, each: Json): string | undefined {
  const from = object(each, 'valueFrom');
  const field = own(from, 'fieldRef');
  if (field !== undefined) return fieldValue(pod, text(field, 'fieldPath'));
  const resource = own(from, 'resourceFieldRef');
  if (resource !== undefined) {
    const name = text(resource, 'containerName');
    const named = ['containers', 'initContainers']
      .flatMap((list) => array(pod, 'spec', list))
      .find((item) => text(item, 'name') === name);
    return resourceValue(
      pod,
      named ?? container,
      resource,
      cluster.get(nodes, text(pod, 'spec', 'nodeName')),
    );
  }
  for (const { ref, path } of sources) {
    const found = own(from, ref);
    if (found === undefined) continue;
    const source = cluster.get(path, `${namespaceOf(pod)}/${text(found, 'name')}`);
    return dataOf(path, source).get(text(found, 'key'));
  }
  return text(each, 'value');
}

/** Replaces `$(NAME)` by its value. `$$` is a dollar sign, and unknown names stay. */
export function expanded(value: string, values: Readonly<Record<string, string>>): string {
  return value.replace(/\$(\$|\(([^)]*)\))/g, (all, mark: string, name: string | undefined) => {
    if (mark === '$') return '$';
    return name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? '') : all;
  });
}

/** Returns the command or the arguments of a container with the values of variables. */
export function commandOf(
  container: Json,
  list: 'command' | 'args',
  values: Readonly<Record<string, string>>,
): readonly string[] {
  return strings(container, list).map((word) => expanded(word, values));
}

/** Returns the variables of the services of a namespace, and of the API server. */
function serviceVariables(cluster: Cluster, pod: JsonObject): Record<string, string> {
  const api = cluster.get(services, 'default/kubernetes');
  const isLinked = own(object(pod, 'spec'), 'enableServiceLinks') !== false;
  const linked = isLinked ? cluster.list(services, namespaceOf(pod)) : [];
  return Object.fromEntries([...(api === undefined ? [] : [api]), ...linked].flatMap(variablesOf));
}

function variablesOf(service: JsonObject): readonly (readonly [string, string])[] {
  const host = text(service, 'spec', 'clusterIP');
  const ports = array(service, 'spec', 'ports');
  if (host === '' || host === 'None' || ports.length === 0) return [];
  const name = text(service, 'metadata', 'name').toUpperCase().replaceAll('-', '_');
  const number = (port: Json): string => String(own(object(port), 'port') ?? '');
  const url = (port: Json): string =>
    `${(text(port, 'protocol') || 'TCP').toLowerCase()}://${host}:${number(port)}`;
  const [first = null] = ports;
  return [
    [`${name}_SERVICE_HOST`, host],
    [`${name}_SERVICE_PORT`, number(first)],
    [`${name}_PORT`, url(first)],
    ...ports.flatMap((port): readonly (readonly [string, string])[] => {
      const protocol = text(port, 'protocol') || 'TCP';
      const prefix = `${name}_PORT_${number(port)}_${protocol}`;
      const portName = text(port, 'name').toUpperCase().replaceAll('-', '_');
      return [
        ...(portName === '' ? [] : [[`${name}_SERVICE_PORT_${portName}`, number(port)] as const]),
        [prefix, url(port)],
        [`${prefix}_PROTO`, protocol.toLowerCase()],
        [`${prefix}_PORT`, number(port)],
        [`${prefix}_ADDR`, host],
      ];
    }),
  ];
}
