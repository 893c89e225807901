/** Replaces the parts of responses that differ between runs by names which keep their equality and order. */
import {
  array,
  at,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  text,
} from '../../src/schema/values/json.ts';

import { addressOf } from './address.ts';

/** Headers that clients read. */
const compared = [
  'allow',
  'content-encoding',
  'content-type',
  'location',
  'www-authenticate',
  'x-content-type-options',
  'warning',
  'retry-after',
  'cache-control',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
];

/** A mask of the responses of one sequence on one server. */
export class Mask {
  readonly #namespace: string;
  readonly #address: string;
  readonly #versions = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #highest = 0;

  constructor(namespace: string) {
    this.#namespace = namespace;
    this.#address = addressOf(namespace);
  }

  headers(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const found = compared.map((name): [string, string] => [name, headers[name] ?? '']);
    return Object.fromEntries(
      found.filter(([, value]) => value !== '').map(([name, value]) => [name, this.#text(value)]),
    );
  }

  body(value: Json): Json {
    return this.#value(sortCauses(isArray(value) ? value.filter((event) => !isPeriodic(event)) : value));
  }

  #value(value: Json): Json {
    if (text(value, 'type') === 'BOOKMARK') return this.#bookmark(object(value, 'object'));
    if (isArray(value)) return sortManagers(value.filter(isServed).map((item) => this.#value(item)));
    if (typeof value === 'string') return this.#text(value);
    if (!isObject(value)) return value;
    return fromEntries(
      Object.entries(withoutCredential(value)).map(([key, item]) => [
        this.#text(key),
        this.#member(value, key, item),
      ]),
    );
  }

  /** Bookmarks have the zero values of internal types. */
  #bookmark(value: JsonObject): Json {
    const { kind = null, apiVersion = null } = value;
    return {
      type: 'BOOKMARK',
      object: { kind, apiVersion, metadata: this.#value(object(value, 'metadata')) },
    };
  }

  #member(parent: JsonObject, key: string, item: Json): Json {
    // The order of roles in the cache of a real server is random.
    if (key === 'resourceRules' && 'incomplete' in parent) return sorted(array(this.#value(item)));
    if (key === 'nonResourceRules' && 'incomplete' in parent) return sorted(array(this.#value(item)));
    if (key === 'cells') return array(item).map((cell) => this.#cell(cell));
    if (key === 'annotations' && isObject(item)) return this.#value(omit(item, generationOfDaemonSets));
    if (key === 'resourceVersion' && typeof item === 'string') return this.#version(parent, item);
    if (key === 'continue' && item !== '') return '<continue>';
    if (/^(?:nodePort|healthCheckNodePort)$/.test(key) && Number(item) >= 30_000) return '<port>';
    if (key === 'storageVersionHash') return '<hash>';
    if (ofServer.has(key) || 'kty' in parent) return `<${key}>`;
    // The descriptions of columns are those of the documentation.
    if (key === 'description' && 'format' in parent) return '';
    return this.#value(item);
  }

  /** The versions of objects are numbered by their first occurrence. Lists have versions of all objects. */
  #version(parent: JsonObject, version: string): string {
    if (text(parent, 'uid') === '') return version === '' ? '' : '<version>';
    const known = this.#versions.get(version);
    if (known !== undefined) return known;
    const isLatest = Number(version) > this.#highest;
    this.#highest = Math.max(this.#highest, Number(version));
    const name = `<version ${this.#versions.size + 1}${isLatest ? '' : ' of the past'}>`;
    this.#versions.set(version, name);
    return name;
  }

  /** Cells contain ages and times. */
  #cell(cell: Json): Json {
    if (cell === 'admin') return 'kubernetes-admin';
    return typeof cell === 'string' ? this.#text(cell).replace(/^(?:\d+[smhdy])+$/, '<age>') : cell;
  }

  #text(value: string): string {
    return (
      withoutJson(value)
        .replaceAll(/(?<=precondition \(|record \()\d+(?=\))/g, (version) =>
          version === '0' ? version : (this.#versions.get(version) ?? '<version>'),
        )
        .replaceAll(/(?<=current: |too old resource version: \d+ \(|resourceVersion:)\d+/g, '<version>')
        .replaceAll(/(?<=ResourceVersion in (?:precondition|object meta): )\d+/g, '<version>')
        .replaceAll(this.#namespace, '<ns>')
        .replaceAll(this.#address, '<address>')
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (uid) =>
          this.#named('uid', uid),
        )
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
        .replaceAll(/(?<!\d)10\.0\.0\.\d+/g, '<ip>')
        .replaceAll(/(?<=^|,)(\d+):3\d{4}(?=\/)/g, '$1:<port>')
        .replaceAll(/(?<=\?hash=)[0-9A-F]+/g, '<hash>')
        .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
        // A real server prints the names of its types.
        .replaceAll(/(?<= of type | to |type: )((?:\[\])?)(?:string|v\d\w*\.\w+)$/g, '$1<type>')
        .replaceAll(/(?<=gen-\d+-)[a-z0-9]{5}(?![a-z0-9])/g, (name) => this.#named('name', name))
    );
  }

  #named(kind: string, value: string): string {
    const name = this.#names.get(value) ?? `<${kind} ${this.#names.size + 1}>`;
    this.#names.set(value, name);
    return name;
  }
}

/** An annotation that a real server omits from the metadata of a DaemonSet alone. */
const generationOfDaemonSets = 'deprecated.daemonset.template.generation';

/** Members of documents that describe the server itself: its build, its keys and its address. */
const ofServer: ReadonlySet<string> = new Set([
  'gitVersion',
  'gitCommit',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
  'jwks_uri',
  'serverAddressByClientCIDRs',
]);

function sorted(items: readonly Json[]): readonly Json[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** A real server adds the hash of the certificate of the administrator, who has another name there. */
function withoutCredential(value: JsonObject): JsonObject {
  const { extra, ...rest } = value;
  const hash = 'authentication.kubernetes.io/credential-id';
  if (text(value, 'username') !== 'admin' || at(extra, hash) === undefined) return value;
  return { ...rest, username: 'kubernetes-admin' };
}

/** The server in memory has no pages about its flags and its process. */
function isServed(item: Json): boolean {
  return item !== '/flagz' && item !== '/statusz';
}

/** Bookmarks that do not mark the end of the initial events depend on the time. */
function isPeriodic(event: Json): boolean {
  const annotations = object(event, 'object', 'metadata', 'annotations');
  return text(event, 'type') === 'BOOKMARK' && Object.keys(annotations).length === 0;
}

/** The order of errors of several fields is undefined, and how often one is reported depends on the kind. */
function sortCauses(value: Json): Json {
  const causes = array(value, 'details', 'causes');
  if (!isObject(value) || causes.length < 2) return value;
  const printed = new Map(causes.map((cause) => [JSON.stringify(cause), cause]));
  const sorted = [...printed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cause]) => cause);
  const message = text(value, 'message');
  return {
    ...value,
    details: { ...object(value, 'details'), causes: sorted },
    message: sorted.length === 1 ? message : message.replace(/(?<=invalid: |conflicts: ).*$/s, '…'),
  };
}

/** Managed fields are ordered by the second of the write. */
/** Messages of parsers of JSON differ, and so does the order of members in printed objects. */
function withoutJson(value: string): string {
  return (
    value
      .replace(
        /(?<=error decoding patch: |json parse error: |^)(?:invalid character|unexpected end of JSON|Expected |Unexpected ).*$/s,
        '<json>',
      )
      // The difference of both objects.
      .replace(
        /(?<=(?:if it was previously negative\)|source is immutable after creation|for bound claims)\n).*$/s,
        '',
      )
      // Values are printed as internal types.
      .replace(/(?<=Invalid value: )(?:\{.*\}|null)(?=: (?:field is immutable|`selector`))/s, '<value>')
      .replace(/(?<=Invalid value: )"\{.*\}"(?=: )/s, '<object>')
      .replace(/(?<=spec\.versions: Invalid value: |^Invalid value: )\[.*\](?=: must )/s, '<versions>')
  );
}

function sortManagers(items: readonly Json[]): readonly Json[] {
  if (!items.some((item) => text(item, 'fieldsType') !== '')) return items;
  const order = (item: Json): string =>
    ['manager', 'operation', 'apiVersion', 'subresource'].map((key) => text(item, key)).join(' ');
  return items.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}
