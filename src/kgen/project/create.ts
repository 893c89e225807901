/** `kgen init` and `kgen create api`: the facts of a project, from the options of the commands. */

import { isKind, isSubdomain } from '../common/names.ts';
import { type Checked, error, hasErrors, type InputProblem, quote } from '../common/problems.ts';
import { pluralOf } from '../manifests/definition/definition.ts';
import { changeProject, type ProjectOptions, type ProjectResult, readCurrentProject } from './project.ts';
import {
  isDomain,
  isProjectName,
  isVersion,
  type PackageManager,
  type ProjectFacts,
  type ProjectKind,
  type ProjectPart,
  type ProjectRecord,
  type ProjectWebhook,
  projectNameOf,
  projectParts,
} from './record.ts';

/** Options of `initProject`. */
export interface InitOptions extends ProjectOptions {
  /** Name of the operator. */
  readonly name: string;
  /** Suffix of the groups of its kinds, such as `example.com`. */
  readonly domain: string;
  /** Files that a project has on request. Default: none. */
  readonly parts?: readonly ProjectPart[];
  /** Package manager whose commands the files contain. Default: that of the project, or npm. */
  readonly packages?: PackageManager;
  /** Version of `packages`, by which package.json and the workflow differ. Default: none. */
  readonly packagesVersion?: string;
}

/** Options of `createApi`. */
export interface CreateApiOptions extends ProjectOptions {
  /** First part of the API group, or the whole group if it ends with the domain: `cache`. */
  readonly group: string;
  /** Such as `v1alpha1`. */
  readonly version: string;
  /** Such as `RedisCluster`. */
  readonly kind: string;
  /** Default: the plural of the kind in lower case. */
  readonly plural?: string;
  /** Default: `Namespaced`. */
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Whether a controller and its tests are written, too. Default: true. */
  readonly controller?: boolean;
}

/** Options of `createWebhook`. Without `defaults` and `validates` both are written. */
export interface CreateWebhookOptions extends ProjectOptions {
  /** Group of the kind as in `createApi`, or one of Kubernetes: `core`, `apps`, `networking.k8s.io`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Whether the webhook changes objects before they are stored. */
  readonly defaults?: boolean;
  /** Whether the webhook refuses objects. */
  readonly validates?: boolean;
}

/** Writes a new project, or adds parts to an existing one. Existing files are left as they are. */
export function initProject(init: InitOptions): ProjectResult {
  const { name, domain, parts = [], packages, packagesVersion, ...options } = init;
  const { value: existing, problems } = readCurrentProject(options.cwd ?? process.cwd());
  const wrong = [
    ...problems,
    ...(isProjectName(name) ? [] : [nameProblem(name)]),
    ...(isDomain(domain) ? [] : [domainProblem(domain)]),
    ...(existing === undefined || adds(existing.facts, { name, domain, parts }) ? [] : [existsAlready]),
  ];
  if (hasErrors(wrong)) return refused(wrong);
  const facts = existing?.facts ?? { name, domain, kinds: [], webhooks: [], parts: [] };
  const all = projectParts.filter((part) => parts.includes(part) || facts.parts.includes(part));
  const manager = { packages, ...(isVersion(packagesVersion) && { packagesVersion }) };
  const { packages: _, packagesVersion: __, ...others } = facts;
  const changed = packages === undefined ? facts : { ...others, ...manager, packages };
  return changeProject(existing, { ...changed, parts: all }, options);
}

const existsAlready = error(
  'this folder is a project already: kgen create adds to it, and kgen init with --agents, --ci or --devcontainer',
);

/** Returns whether the options add parts to a project, and nothing else. */
function adds(
  facts: ProjectFacts,
  { name, domain, parts }: Required<Pick<InitOptions, 'name' | 'domain' | 'parts'>>,
) {
  return facts.name === name && facts.domain === domain && parts.length > 0;
}

/** Adds a kind to the project, or a version of one of its kinds with the conversion to the stored one. */
export function createApi(options: CreateApiOptions): ProjectResult {
  const { value: project, problems } = projectIn(options);
  if (project === undefined) return refused(problems);
  const { facts } = project;
  const { value: kind, problems: wrong } = kindOf(options, facts.domain);
  const known = facts.kinds.find((each) => each.kind.toLowerCase() === kind.kind.toLowerCase());
  const all = [...wrong, ...(known === undefined ? [] : clashOf(kind, known))];
  if (hasErrors(all)) return refused(all);
  if (known === undefined)
    return changeProject(project, { ...facts, kinds: [...facts.kinds, kind] }, options);
  const furtherVersions = [...(known.furtherVersions ?? []), kind.version];
  const kinds = facts.kinds.map((each) => (each === known ? { ...known, furtherVersions } : each));
  return changeProject(project, { ...facts, kinds }, options);
}

/** Returns the project in the folder; `undefined` with the reason why there is none. */
export function projectIn({ cwd = process.cwd() }: ProjectOptions): Checked<ProjectRecord | undefined> {
  const { value, problems } = readCurrentProject(cwd);
  if (hasErrors(problems)) return { value: undefined, problems };
  return value === undefined ? { value, problems: [noProject] } : { value, problems };
}

const noProject = error('this folder is not a project: run kgen init --domain DOMAIN first');

/** Returns the reason why a kind cannot be added beside one of the same name. */
export function clashOf(kind: ProjectKind, known: ProjectKind): readonly InputProblem[] {
  const has = `the project has a kind ${known.kind} of ${known.group} already`;
  if (kind.kind !== known.kind || kind.group !== known.group) return [error(has)];
  return [known.version, ...(known.furtherVersions ?? [])].includes(kind.version)
    ? [error(`${has}, in ${kind.version}: another version is added with --version`)]
    : [];
}

/** Adds admission webhooks of a kind of the project, or of Kubernetes. */
export function createWebhook(options: CreateWebhookOptions): ProjectResult {
  const { value: project, problems } = projectIn(options);
  if (project === undefined) return refused(problems);
  const { facts } = project;
  const { value: webhook, problems: wrong } = webhookOf(options, facts);
  const known = facts.webhooks.find((each) => each.kind === webhook.kind);
  const clash =
    known === undefined || known.group === webhook.group
      ? []
      : [error(`the project has webhooks of the kind ${known.kind} of ${known.group} already`)];
  const all = [...wrong, ...clash];
  if (hasErrors(all)) return refused(all);
  const both = {
    ...webhook,
    defaults: webhook.defaults || known?.defaults === true,
    validates: webhook.validates || known?.validates === true,
  };
  const webhooks = [...facts.webhooks.filter((each) => each !== known), both];
  return changeProject(project, { ...facts, webhooks }, options);
}

function webhookOf(options: CreateWebhookOptions, facts: ProjectFacts): Checked<ProjectWebhook> {
  const { group, version, kind, defaults = false, validates = false } = options;
  const isEither = defaults || validates;
  const parts = { defaults: defaults || !isEither, validates: validates || !isEither };
  const own = facts.kinds.find(
    (each) => each.kind === kind && (each.group === group || each.group === `${group}.${facts.domain}`),
  );
  if (own === undefined) {
    const { value, problems } = kindOf({ ...options, group: 'any' }, facts.domain);
    const unknown = `the project has no kind ${kind} of ${group}: run kgen create api first, or name a group of Kubernetes, such as core or apps`;
    const wrong = isBuiltIn(group) ? [] : [error(unknown)];
    const taken = facts.kinds.filter((each) => each.kind.toLowerCase() === kind.toLowerCase());
    const clash = taken.map((each) => error(`the project has a kind ${each.kind} of ${each.group} already`));
    return {
      value: { group, version, kind, plural: value.plural, ...parts },
      problems: [...problems, ...wrong, ...clash],
    };
  }
  const isStored = own.version === version;
  const advice = `webhooks of ${kind} review ${own.version}, to which other versions are converted: give --version ${own.version}`;
  const problems = isStored ? [] : [error(advice)];
  return { value: { group: own.group, version, kind, plural: own.plural, ...parts }, problems };
}

/** Returns whether a group is one of Kubernetes, of which `@kgen/kubernetes` has clients. */
function isBuiltIn(group: string): boolean {
  return (
    ['core', 'apps', 'batch', 'autoscaling', 'policy'].includes(group) || /^[a-z.]+\.k8s\.io$/.test(group)
  );
}

function kindOf(options: CreateApiOptions, domain: string): Checked<ProjectKind> {
  const { version, kind, scope = 'Namespaced', controller = true } = options;
  const isWhole = options.group === domain || options.group.endsWith(`.${domain}`);
  const group = isWhole ? options.group : `${options.group}.${domain}`;
  const plural = options.plural ?? pluralOf(kind.toLowerCase());
  const value = { group, version, kind, plural, scope, hasController: controller };
  return {
    value,
    problems: [...kindProblems({ ...options, plural }), ...groupProblems(options.group, group)],
  };
}

function groupProblems(given: string, group: string): readonly InputProblem[] {
  const valid = given
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^[-.]+|(?<![-.])[-.]+$/g, '');
  const what = `group ${quote(given)} must consist of lower-case letters, digits, - and .`;
  return isSubdomain(group) ? [] : [error(withProposal(what, valid, isSubdomain(valid)))];
}

type KindRule = readonly [
  isValid: (text: string) => boolean,
  what: string,
  nearest: (text: string) => string,
];

const kindRules: Readonly<Record<'version' | 'kind' | 'plural', KindRule>> = {
  version: [
    (text) => /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(text),
    'must be of the form v1, v1beta1 or v1alpha1',
    (text) => `v${text.toLowerCase().replaceAll(/[^a-z0-9]|^v/g, '')}`,
  ],
  kind: [
    (text) => isKind(text) && /^[A-Z][A-Za-z0-9]*$/.test(text),
    'must begin with an upper-case letter: letters and digits',
    (text) => text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first) => first.toUpperCase()),
  ],
  plural: [
    (text) => /^[a-z][a-z0-9]*$/.test(text) && text.length <= 63,
    'must consist of lower-case letters and digits',
    (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ''),
  ],
};

function kindProblems(names: Readonly<Record<keyof typeof kindRules, string>>): readonly InputProblem[] {
  return (['version', 'kind', 'plural'] as const).flatMap((name) => {
    const [isValid, what, nearest] = kindRules[name];
    const [text, valid] = [names[name], nearest(names[name])];
    return isValid(text)
      ? []
      : [error(withProposal(`${name} ${quote(text)} ${what}`, valid, isValid(valid)))];
  });
}

function withProposal(what: string, proposal: string, isValid: boolean): string {
  return isValid ? `${what}, such as ${proposal}` : what;
}

function nameProblem(name: string): InputProblem {
  const valid = projectNameOf(name);
  const what = `name ${quote(name)} must be at most 40 lower-case letters, digits and -, beginning with a letter`;
  return error(withProposal(what, valid, isProjectName(valid)));
}

function domainProblem(domain: string): InputProblem {
  return error(`domain ${quote(domain)} must be a DNS name of at least two parts, such as example.com`);
}

/** Returns the result of a refused change. */
export function refused(problems: readonly InputProblem[]): ProjectResult {
  return { ok: false, changes: [], kept: [], problems };
}
