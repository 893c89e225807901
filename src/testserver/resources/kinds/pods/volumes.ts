/** Validation of volumes. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import { isObject, type Json, own } from '@kgen/schema/values/json';
import { all, type Check, each, first, members, named, oneOf, present, unique } from '../support/checks.ts';
import { labelProblem } from '../support/names.ts';

const hostPathTypes = [
  '',
  'DirectoryOrCreate',
  'Directory',
  'FileOrCreate',
  'File',
  'Socket',
  'CharDevice',
  'BlockDevice',
];

const noDots: Check = (value, path) =>
  String(value).split('/').includes('..') ? [invalidValue(path, value ?? '', "must not contain '..'")] : [];

/** Validates the host path of a volume. */
export const hostPath: Check = members({
  path: first(present(), noDots),
  type: (value, path) => oneOf(...hostPathTypes)(value ?? '', path),
});

const items: Check = each(members({ key: present(), path: first(present(), noDots) }));

const sources: Readonly<Record<string, Check>> = {
  hostPath,
  configMap: members({ name: present(), items }),
  secret: members({ secretName: present(), items }),
  persistentVolumeClaim: members({ claimName: present() }),
  nfs: members({ server: present(), path: present() }),
  csi: members({ driver: present() }),
  ephemeral: members({ volumeClaimTemplate: present() }),
  emptyDir: () => [],
  downwardAPI: () => [],
  projected: () => [],
};

const volume: Check = (value, path) => [
  ...named(labelProblem)(own(value, 'name'), `${path}.name`),
  ...sourceErrors(value, path),
];

function sourceErrors(value: Json | undefined, path: string): readonly FieldError[] {
  const given = Object.keys(isObject(value) ? value : {})
    .filter((key) => key !== 'name')
    .sort((a, b) => Number(b === 'emptyDir') - Number(a === 'emptyDir'));
  if (given.length === 0) return [required(path, 'must specify a volume type')];
  return given.flatMap((name, index) =>
    index > 0
      ? [forbiddenField(`${path}.${name}`, 'may not specify more than 1 volume type')]
      : (sources[name]?.(own(value, name), `${path}.${name}`) ?? []),
  );
}

/** Validates the volumes of a pod. */
export const volumes: Check = all(each(volume), unique('name'));
