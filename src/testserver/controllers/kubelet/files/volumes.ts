/** Files of the volumes of pods. */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { namespaceOf } from '../../../store/object-facts.ts';
import { type Cluster, keyOf, type ResourcePath } from '../../cluster.ts';
import { configMaps, nodes, secrets } from '../../workloads/paths.ts';
import { number } from '../../workloads/values.ts';
import type { ContainerFile } from '../programs.ts';
import { fieldValue, resourceValue } from './downward.ts';
import { dataOf } from './environment.ts';
import { tokenFile } from './tokens.ts';

type Files = Readonly<Record<string, ContainerFile>>;

/** Objects of volumes: their member of the volume, and the member with their name. */
const sources: readonly { readonly member: string; readonly name: string; readonly path: ResourcePath }[] = [
  { member: 'configMap', name: 'name', path: configMaps },
  { member: 'secret', name: 'secretName', path: secrets },
];

/** The ConfigMap that the server creates in every namespace. */
const rootCertificate = 'kube-root-ca.crt';

/** Returns the message for a source of a volume that is missing and not optional. */
export function missingVolume(cluster: Cluster, pod: JsonObject): string | undefined {
  for (const volume of array(pod, 'spec', 'volumes')) {
    for (const { source, path, name } of sourcesOf(volume)) {
      if (own(object(source), 'optional') === true || name === rootCertificate) continue;
      const found = cluster.get(path, keyOf(namespaceOf(pod), name));
      const what = `MountVolume.SetUp failed for volume "${text(volume, 'name')}"`;
      if (found === undefined) return `${what} : ${path.kind.toLowerCase()} "${name}" not found`;
      const data = dataOf(path, found);
      const absent = array(source, 'items').find((item) => !data.has(text(item, 'key')));
      if (absent !== undefined) return `${what} : references non-existent config key: ${text(absent, 'key')}`;
    }
  }
  return undefined;
}

interface Source {
  readonly source: Json;
  readonly path: ResourcePath;
  readonly name: string;
}

/** Returns the ConfigMaps and Secrets of a volume, also of a projected one. */
function sourcesOf(volume: Json): readonly Source[] {
  const projected = array(volume, 'projected', 'sources');
  return sources.flatMap(({ member, name, path }) => {
    const direct = own(object(volume), member);
    const own_ = direct === undefined ? [] : [{ source: direct, path, name: text(direct, name) }];
    const inner = projected.flatMap((each) => {
      const source = own(object(each), member);
      return source === undefined ? [] : [{ source, path, name: text(source, 'name') }];
    });
    return [...own_, ...inner];
  });
}

/** Returns the files of a volume by their paths in it. Volumes without content of the API have none. */
export function volumeFiles(cluster: Cluster, pod: JsonObject, volume: Json): Files {
  const files = contentOf(cluster, pod, volume);
  if (own(object(pod, 'spec', 'securityContext'), 'fsGroup') === undefined) return files;
  // The group of the pod may read all of them.
  const readable = Object.entries(files).map(([path, file]): readonly [string, ContainerFile] => [
    path,
    {
      get content() {
        return file.content;
      },
      mode: file.mode | 0o440,
    },
  ]);
  return Object.fromEntries(readable);
}

function contentOf(cluster: Cluster, pod: JsonObject, volume: Json): Files {
  const kinds = ['configMap', 'secret', 'downwardAPI', 'projected'];
  const kind = kinds.find((each) => own(object(volume), each) !== undefined);
  if (kind === undefined) return {};
  const source = object(volume, kind);
  const mode = number(source, 0o644, 'defaultMode');
  if (kind !== 'projected') return sourceFiles(cluster, pod, kind, source, mode);
  return Object.fromEntries(
    array(source, 'sources').flatMap((each) => {
      const [inner = ''] = Object.keys(object(each));
      return Object.entries(sourceFiles(cluster, pod, inner, object(each, inner), mode));
    }),
  );
}

function sourceFiles(
  cluster: Cluster,
  pod: JsonObject,
  kind: string,
  source: JsonObject,
  mode: number,
): Files {
  if (kind === 'downwardAPI') return downwardFiles(cluster, pod, source, mode);
  if (kind === 'serviceAccountToken')
    return { [text(source, 'path')]: tokenFile(cluster, pod, source, mode) };
  const found = sources.find(({ member }) => member === kind);
  if (found === undefined) return {};
  const name = text(source, 'name') || text(source, 'secretName');
  const data = dataOf(found.path, cluster.get(found.path, keyOf(namespaceOf(pod), name)));
  const items = array(source, 'items');
  if (items.length === 0) return mappedFiles(data, mode);
  return Object.fromEntries(
    items.flatMap((item) => {
      const content = data.get(text(item, 'key'));
      return content === undefined
        ? []
        : [[text(item, 'path'), { content, mode: number(item, mode, 'mode') }] as const];
    }),
  );
}

function mappedFiles(data: ReadonlyMap<string, string>, mode: number): Files {
  return Object.fromEntries([...data].map(([key, content]) => [key, { content, mode }]));
}

function downwardFiles(cluster: Cluster, pod: JsonObject, source: JsonObject, mode: number): Files {
  const node = cluster.get(nodes, text(pod, 'spec', 'nodeName'));
  return Object.fromEntries(
    array(source, 'items').map((item) => {
      const ref = own(object(item), 'resourceFieldRef');
      const container = array(pod, 'spec', 'containers').find(
        (each) => text(each, 'name') === text(ref, 'containerName'),
      );
      const content =
        ref === undefined
          ? fieldValue(pod, text(item, 'fieldRef', 'fieldPath'))
          : resourceValue(pod, container ?? null, ref, node);
      return [text(item, 'path'), { content, mode: number(item, mode, 'mode') }];
    }),
  );
}
