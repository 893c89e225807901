/** Record of a project: from which texts its files were made. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isKind, isLabel, isSubdomain } from '../common/names.ts';
import { type Checked, error } from '../common/problems.ts';
import { isObject } from '../input/json.ts';
import { isSafePath } from '../write/manifest.ts';

/** Path of the record, relative to the project. */
export const recordPath = '.kgen/project.json';

/** Returns whether a folder is a project. */
export function isProject(cwd: string): boolean {
  return existsSync(join(cwd, recordPath));
}

/** A kind of the project. */
export interface ProjectKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly hasController: boolean;
  /**
   * `external`: the definition is that of another operator, in `external/`; `built-in`: a kind of Kubernetes.
   * Absent for a kind of the project.
   */
  readonly origin?: 'external' | 'built-in';
  /** Versions besides the first one, which is stored, and to which they are converted. Default: none. */
  readonly furtherVersions?: readonly string[];
}

/** Folder of the definitions of other operators, which are neither installed nor owned. */
export const externalFolder = 'external';

/** Returns the folders of the definitions that the operator needs. */
export function definitionFolders({ kinds }: Pick<ProjectFacts, 'kinds'>): readonly string[] {
  return ['config/crd', ...(kinds.some(({ origin }) => origin === 'external') ? [externalFolder] : [])];
}

/** Admission webhooks of a kind, of the project or of Kubernetes. */
export interface ProjectWebhook {
  /** Group; `core` for the one without a name. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly defaults: boolean;
  readonly validates: boolean;
}

/** Parts of a project that it has on request: a file each. */
export const projectParts = ['agents', 'ci', 'devcontainer'] as const;

/** A part of a project that it has on request. */
export type ProjectPart = (typeof projectParts)[number];

/** Package managers that projects may use. */
export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;

/** A package manager. */
export type PackageManager = (typeof packageManagers)[number];

/** Facts from which the templates of a project are filled in. */
export interface ProjectFacts {
  /** Name of the operator: of its package, its account, and its objects. */
  readonly name: string;
  /** Suffix of the groups of its kinds. */
  readonly domain: string;
  readonly kinds: readonly ProjectKind[];
  readonly webhooks: readonly ProjectWebhook[];
  /** Sorted. */
  readonly parts: readonly ProjectPart[];
  /** Package manager. Default: npm. */
  readonly packages?: PackageManager;
  /** Version of the package manager, if it is known. */
  readonly packagesVersion?: string;
}

/** The package manager of a project. */
export type ProjectManager = Pick<ProjectFacts, 'packages' | 'packagesVersion'>;

/** A project as kgen has written it last. */
export interface ProjectRecord {
  /** Version of the kgen that has written it. */
  readonly kgen: string;
  readonly facts: ProjectFacts;
  /** Texts of the templates as they were filled in, by path: the bases of three-way merges. */
  readonly files: ReadonlyMap<string, string>;
}

const about = 'Written by kgen. Do not edit: kgen merges the next version of its templates with these texts.';

/** Returns the text of a record. */
export function printRecord({ kgen, facts, files }: ProjectRecord): string {
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify({ about, kgen, ...facts, files: Object.fromEntries(sorted) }, null, 2)}\n`;
}

/** Reads a record. */
export function parseRecord(text: string): Checked<ProjectRecord | undefined> {
  const value = parsed(text);
  if (!isObject(value)) return { value: undefined, problems: [damaged('it is not a JSON object')] };
  const { kgen, name, domain, kinds, files, webhooks = [], parts = [] } = value;
  if (!isProjectName(name) || !isDomain(domain))
    return { value: undefined, problems: [damaged('name or domain is missing or invalid')] };
  if (!Array.isArray(kinds) || !kinds.every(isProjectKind))
    return { value: undefined, problems: [damaged('kinds is not a list of kinds')] };
  if (!Array.isArray(webhooks) || !webhooks.every(isProjectWebhook))
    return { value: undefined, problems: [damaged('webhooks is not a list of webhooks')] };
  if (!Array.isArray(parts) || !parts.every(isProjectPart))
    return { value: undefined, problems: [damaged(`parts is not a list of ${projectParts.join(', ')}`)] };
  if (typeof kgen !== 'string') return { value: undefined, problems: [damaged('kgen is missing')] };
  if (!isObject(files)) return { value: undefined, problems: [damaged('files is missing')] };
  const texts = Object.entries(files).filter(
    (entry): entry is [string, string] => isSafePath(entry[0]) && typeof entry[1] === 'string',
  );
  const facts = { name, domain, kinds, webhooks, parts, ...managerIn(value) };
  return { value: { kgen, facts, files: new Map(texts) }, problems: [] };
}

function managerIn({ packages, packagesVersion }: Readonly<Record<string, unknown>>): ProjectManager {
  const manager = packageManagers.find((each) => each === packages);
  return {
    ...(manager !== undefined && { packages: manager }),
    ...(isVersion(packagesVersion) && { packagesVersion }),
  };
}

/** Returns whether a value is a version of a package. */
export function isVersion(value: unknown): value is string {
  return typeof value === 'string' && /^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(value);
}

/** Returns whether a value can name an operator and its objects in a cluster. */
export function isProjectName(value: unknown): value is string {
  // Names of objects have a suffix, such as -leader-election.
  return typeof value === 'string' && isLabel(value) && value.length <= 40;
}

/** Returns the nearest name of an operator to a text; empty if no character of the text is valid. */
export function projectNameOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 40)
    .replace(/(?<!-)-+$/, '');
}

/** Returns whether a value is a domain of at least two parts, since a group needs a dot. */
export function isDomain(value: unknown): value is string {
  return typeof value === 'string' && isSubdomain(value) && value.includes('.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(why: string) {
  return error(`the record of the project cannot be read: ${why}; restore it from version control`, {
    file: recordPath,
  });
}

function isProjectPart(value: unknown): value is ProjectPart {
  return projectParts.some((part) => part === value);
}

function isProjectKind(value: unknown): value is ProjectKind {
  if (!isResource(value)) return false;
  const { scope, hasController, origin, furtherVersions = [] } = value;
  return (
    (origin === undefined || origin === 'external' || origin === 'built-in') &&
    (scope === 'Namespaced' || scope === 'Cluster') &&
    typeof hasController === 'boolean' &&
    Array.isArray(furtherVersions) &&
    furtherVersions.every(isLabel)
  );
}

function isProjectWebhook(value: unknown): value is ProjectWebhook {
  return (
    isResource(value) && typeof value['defaults'] === 'boolean' && typeof value['validates'] === 'boolean'
  );
}

function isResource(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const { group, version, kind, plural } = value;
  const texts = [group, version, kind, plural].every((each) => typeof each === 'string');
  return (
    texts && isSubdomain(`${group}`) && isLabel(`${version}`) && isKind(`${kind}`) && isLabel(`${plural}`)
  );
}
