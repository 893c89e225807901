/** Validation of volumes. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import { array, isObject, type Json, own, text } from '@kgen/schema/values/json';
import {
  all,
  type Check,
  each,
  first,
  members,
  named,
  oneOf,
  optional,
  present,
  unique,
} from '../support/checks.ts';
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

const modeDetail = 'must be a number between 0 and 0777 (octal), both inclusive';
const mode: Check = optional((value, path) =>
  Number(value) < 0 || Number(value) > 0o777 ? [invalidValue(path, value ?? 0, modeDetail)] : [],
);

const items: Check = each(members({ key: present(), path: first(present(), noDots), mode }));

/** Fields of a pod that its volumes have. */
const podFields =
  /^metadata\.(?:annotations|labels|name|namespace|uid)$|^metadata\.(?:annotations|labels)\['[^']+'\]$/;

const podField: Check = first(present(), (value, path) => {
  const field = String(value);
  const detail = `error converting fieldPath: field label not supported: ${field}`;
  return podFields.test(field) ? [] : [invalidValue(path, field, detail)];
});

const downwardFile: Check = (value, path) => {
  const [field, resource] = ['fieldRef', 'resourceFieldRef'].map((key) => own(value, key) ?? null);
  return [
    ...members({
      path: first(present(), noDots),
      mode,
      fieldRef: optional(members({ fieldPath: podField })),
    })(value, path),
    ...(field === null && resource === null
      ? [required(path, 'one of fieldRef and resourceFieldRef is required')]
      : []),
  ];
};

const projection: Check = members({
  configMap: optional(members({ name: present(), items })),
  secret: optional(members({ name: present(), items })),
  // As on a real server, without the list and the index.
  downwardAPI: optional((value, path) => array(value, 'items').flatMap((item) => downwardFile(item, path))),
  serviceAccountToken: optional(
    members({
      expirationSeconds: (value, path) =>
        Number(value ?? 3600) < 600
          ? [invalidValue(path, value ?? 0, 'may not specify a duration less than 10 minutes')]
          : [],
    }),
  ),
});

/** As on a real server, without the source. */
const tokenPaths: Check = (value, path) =>
  array(value, 'sources').flatMap((source) => {
    const token = own(source, 'serviceAccountToken') ?? null;
    return token === null ? [] : present()(own(token, 'path'), `${path}.path`);
  });

/** The files of all sources are in one folder. Errors name the object, or the file of the pod. */
const conflicts: Check = (value, path) => {
  const seen = new Set<string>();
  return array(value, 'sources').flatMap((source) =>
    ['configMap', 'secret', 'downwardAPI'].flatMap((kind) =>
      array(source, kind, 'items').flatMap((item) => {
        const file = text(item, 'path');
        const isRepeated = file !== '' && seen.has(file);
        seen.add(file);
        const shown = kind === 'downwardAPI' ? file : text(source, kind, 'name');
        return isRepeated ? [invalidValue(path, shown, 'conflicting duplicate paths')] : [];
      }),
    ),
  );
};

const projected: Check = all(
  members({ defaultMode: mode, sources: each(projection) }),
  tokenPaths,
  conflicts,
);

const sources: Readonly<Record<string, Check>> = {
  hostPath,
  configMap: members({ defaultMode: mode, name: present(), items }),
  secret: members({ defaultMode: mode, secretName: present(), items }),
  persistentVolumeClaim: members({ claimName: present() }),
  nfs: members({ server: present(), path: present() }),
  csi: members({ driver: present() }),
  ephemeral: members({ volumeClaimTemplate: present() }),
  emptyDir: () => [],
  downwardAPI: () => [],
  projected,
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
