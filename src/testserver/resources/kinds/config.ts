/** Config maps, secrets and service accounts. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import { equal, type Json, type JsonObject, object, omit, own, put, text } from '@kgen/schema/values/json';
import { type Check, immutable } from './support/checks.ts';
import { configKeyProblems } from './support/names.ts';
import type { KindRules, KindWrite } from './support/rules.ts';

const maximumBytes = 1024 * 1024;

const configMap: Check = (value) => {
  const config = object(value);
  const [data, binary] = [object(config, 'data'), object(config, 'binaryData')];
  const both = Object.keys(data).filter((key) => Object.hasOwn(binary, key));
  return [
    ...keyErrors(config, 'data'),
    ...both.map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...keyErrors(config, 'binaryData'),
    ...(sizeOf(data, false) + sizeOf(binary, true) > maximumBytes ? [tooLong('[]')] : []),
  ];
};

function tooLong(field: string): FieldError {
  return { reason: 'FieldValueTooLong', field, detail: `may not be more than ${maximumBytes} bytes` };
}

function sizeOf(members: JsonObject, isBase64: boolean): number {
  return Object.values(members).reduce<number>((sum, item) => sum + bytesOf(item, isBase64), 0);
}

function bytesOf(value: Json, isBase64: boolean): number {
  return isBase64 ? Buffer.from(String(value), 'base64').length : Buffer.byteLength(String(value));
}

function keyErrors(value: JsonObject, member: string): readonly FieldError[] {
  return Object.keys(object(value, member)).flatMap((key) =>
    configKeyProblems(key).map((detail) => invalidValue(`${member}[${key}]`, key, detail)),
  );
}

const frozen = 'field is immutable when `immutable` is set';

const configMaps: KindRules = {
  check: configMap,
  checkUpdate: (write) => frozenErrors(write, 'data', 'binaryData'),
};

/** An immutable object keeps its data, and stays immutable. */
function frozenErrors({ value, old }: KindWrite, ...members: readonly string[]): readonly FieldError[] {
  if (own(old, 'immutable') !== true) return [];
  return [
    ...(own(value, 'immutable') === true ? [] : [forbiddenField('immutable', frozen)]),
    ...members
      .filter((member) => !equal(object(value, member), object(old, member)))
      .map((member) => forbiddenField(member, frozen)),
  ];
}

/** Data that the types of secrets require, and members of which one suffices. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
};

const secret: Check = (value) => {
  const own_ = object(value);
  return [
    ...keyErrors(own_, 'data'),
    ...(sizeOf(object(own_, 'data'), true) > maximumBytes ? [tooLong('data')] : []),
    ...typeErrors(own_),
  ];
};

function typeErrors(secret: JsonObject): readonly FieldError[] {
  const [type, data] = [text(secret, 'type'), object(secret, 'data')];
  const missing = (keys: readonly string[]): readonly FieldError[] =>
    keys.filter((key) => own(data, key) === undefined).map((key) => required(`data[${key}]`));
  if (type === 'kubernetes.io/basic-auth') {
    const keys = ['username', 'password'];
    return keys.some((key) => own(data, key) !== undefined) ? [] : missing(keys);
  }
  if (type === 'kubernetes.io/service-account-token') {
    const annotation = 'kubernetes.io/service-account.name';
    return text(secret, 'metadata', 'annotations', annotation) === ''
      ? [required(`metadata.annotations[${annotation}]`)]
      : [];
  }
  const keys = requiredKeys[type] ?? [];
  return [
    ...missing(keys),
    ...(type.startsWith('kubernetes.io/docker') ? keys.flatMap((key) => jsonErrors(data, key)) : []),
  ];
}

function jsonErrors(data: JsonObject, key: string): readonly FieldError[] {
  const content = own(data, key);
  if (content === undefined) return [];
  const decoded = Buffer.from(String(content), 'base64').toString('utf8');
  try {
    JSON.parse(decoded);
    return [];
  } catch {
    const start = decoded.trimStart().charAt(0);
    const detail =
      start === ''
        ? 'unexpected end of JSON input'
        : `invalid character '${start}' looking for beginning of value`;
    return [invalidValue(`data[${key}]`, '<secret contents redacted>', detail)];
  }
}

const missingPem = 'tls: failed to find any PEM data in certificate input';

const secrets: KindRules = {
  warnings: certificateWarnings,
  writeOnly: withData,
  defaults: (value) => (text(value, 'type') === '' ? put(value, 'type', 'Opaque') : value),
  check: secret,
  update: (value, old) => (text(value, 'type') === '' ? put(value, 'type', text(old, 'type')) : value),
  checkUpdate: (write) => [
    ...immutable('type', own(write.value, 'type'), own(write.old, 'type')),
    ...frozenErrors(write, 'data'),
  ],
};

/** Certificates are not parsed: only missing ones are noticed. */
function certificateWarnings(value: JsonObject): readonly string[] {
  if (text(value, 'type') !== 'kubernetes.io/tls') return [];
  const certificate = Buffer.from(text(value, 'data', 'tls.crt'), 'base64').toString('utf8');
  return certificate.includes('-----BEGIN') ? [] : [missingPem];
}

/** `stringData` is written as `data`, and never read. */
function withData(value: JsonObject): JsonObject {
  const strings = Object.entries(object(value, 'stringData'));
  const data = strings.reduce(
    (result, [key, item]) => put(result, key, Buffer.from(String(item)).toString('base64')),
    object(value, 'data'),
  );
  return { ...omit(value, 'stringData'), ...(Object.keys(data).length === 0 ? {} : { data }) };
}

/** Rules by storage key. */
export const configRules: Readonly<Record<string, KindRules>> = {
  configmaps: configMaps,
  secrets,
  serviceaccounts: {},
};
