/** Validation rules of settings in files, one per setting. */
import { isAlias, rivals } from './aliases.ts';
import type { OutputSettings } from './settings.ts';

/** Validation rule of a setting in a file. */
export interface Rule {
  readonly test: (value: unknown) => boolean;
  /** Completes the sentence "… must be". */
  readonly words: string;
  /** Converts a valid value to the form of `Settings`. */
  readonly read?: (value: unknown) => unknown;
}

/** Longest limit for a response, in seconds: an hour. */
const maxTimeout = 3600;

const flag: Rule = { test: (value) => typeof value === 'boolean', words: 'true or false' };
const text: Rule = { test: isText, words: 'a string that is not empty' };
const texts: Rule = {
  test: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
  words: 'a string or a list of strings',
  read: (value) => (isText(value) ? [value] : value),
};

/** Every setting of one output, in the order of error messages. */
export const rules: Readonly<Record<keyof OutputSettings, Rule>> = {
  input: texts,
  fromCluster: flag,
  context: text,
  kubeconfig: text,
  timeout: {
    test: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxTimeout,
    words: `a number of seconds from 1 to ${maxTimeout}`,
  },
  openapi: texts,
  kubernetes: { test: isRelease, words: 'a release in quotes, such as `1.33` or `1.33.4`' },
  out: text,
  include: texts,
  exclude: texts,
  emit: oneOf('ts', 'js'),
  importExtension: oneOf('.js', '.ts', 'none'),
  runtimeImport: text,
  groupAlias: {
    test: isAliases,
    words:
      'an object of groups and names, no name twice; a name is a lower-case letter, then letters and digits',
  },
  paths: flag,
  protobuf: {
    test: (value) => typeof value === 'boolean' || value === 'all',
    words: 'true, false or `all`',
  },
  definitions: flag,
  jsonSchema: flag,
  exactlyOne: flag,
  verify: flag,
  docs: flag,
  descriptions: flag,
  listers: flag,
  informers: flag,
  schemas: flag,
};

function oneOf(...values: readonly string[]): Rule {
  return {
    test: (value) => values.some((one) => one === value),
    words: values.map((one) => `\`${one}\``).join(' or '),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

/** Returns whether a value can be the image of a container. */
export function isImage(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:/@-]+$/.test(value);
}

/** Returns whether a value names a release of Kubernetes. Its parts become parts of addresses. */
export function isRelease(value: unknown): boolean {
  return typeof value === 'string' && /^v?1\.\d{1,3}(?:\.\d{1,4})?$/.test(value);
}

function isAliases(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const isName = (name: unknown): boolean => isText(name) && isAlias(name);
  return Object.values(value).every(isName) && rivals({ ...value }) === undefined;
}
