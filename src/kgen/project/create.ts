/** `kgen init` and `kgen create api`: the facts of a project, from the options of the commands. */

import { isKind, isSubdomain } from '../common/names.ts';
import { type Checked, error, hasErrors, type InputProblem, quote } from '../common/problems.ts';
import { pluralOf } from '../manifests/definition/definition.ts';
import { changeProject, type ProjectOptions, type ProjectResult, readProject } from './project.ts';
import {
  isDomain,
  isProjectName,
  type ProjectFacts,
  type ProjectKind,
  type ProjectPart,
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

/** Writes a new project, or adds parts to an existing one. Existing files are left as they are. */
export function initProject({ name, domain, parts = [], ...options }: InitOptions): ProjectResult {
  const { value: existing, problems } = readProject(options.cwd ?? process.cwd());
  const wrong = [
    ...problems,
    ...(isProjectName(name) ? [] : [nameProblem(name)]),
    ...(isDomain(domain) ? [] : [domainProblem(domain)]),
    ...(existing === undefined || adds(existing.facts, { name, domain, parts }) ? [] : [existsAlready]),
  ];
  if (hasErrors(wrong)) return refused(wrong);
  const facts = existing?.facts ?? { name, domain, kinds: [], parts: [] };
  const all = projectParts.filter((part) => parts.includes(part) || facts.parts.includes(part));
  return changeProject(existing, { ...facts, parts: all }, options);
}

const existsAlready = error(
  'this folder is a project already: kgen create adds to it, and kgen init with --agents, --ci or --devcontainer',
);

/** Returns whether the options add parts to a project, and nothing else. */
function adds(
  facts: ProjectFacts,
  { name, domain, parts }: Required<Omit<InitOptions, keyof ProjectOptions>>,
) {
  return facts.name === name && facts.domain === domain && parts.length > 0;
}

/** Adds a kind to the project. */
export function createApi(options: CreateApiOptions): ProjectResult {
  const { value: project, problems } = readProject(options.cwd ?? process.cwd());
  if (hasErrors(problems)) return refused(problems);
  if (project === undefined)
    return refused([error('this folder is not a project: run kgen init --domain DOMAIN first')]);
  const { facts } = project;
  const { value: kind, problems: wrong } = kindOf(options, facts.domain);
  const known = facts.kinds.find((each) => each.kind.toLowerCase() === kind.kind.toLowerCase());
  const clash =
    known === undefined ? [] : [error(`the project has a kind ${known.kind} of ${known.group} already`)];
  const all = [...wrong, ...clash];
  if (hasErrors(all)) return refused(all);
  return changeProject(project, { ...facts, kinds: [...facts.kinds, kind] }, options);
}

function kindOf(options: CreateApiOptions, domain: string): Checked<ProjectKind> {
  const { version, kind, scope = 'Namespaced', controller = true } = options;
  const isWhole = options.group === domain || options.group.endsWith(`.${domain}`);
  const group = isWhole ? options.group : `${options.group}.${domain}`;
  const plural = options.plural ?? pluralOf(kind.toLowerCase());
  const value = { group, version, kind, plural, scope, hasController: controller };
  const rules: readonly (readonly [valid: boolean, what: string])[] = [
    [isSubdomain(group), `group ${quote(options.group)} must consist of lower-case letters, digits, - and .`],
    [
      /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version),
      `version ${quote(version)} must be of the form v1, v1beta1 or v1alpha1`,
    ],
    [
      isKind(kind) && /^[A-Z][A-Za-z0-9]*$/.test(kind),
      `kind ${quote(kind)} must begin with an upper-case letter: letters and digits`,
    ],
    [
      /^[a-z][a-z0-9]*$/.test(plural) && plural.length <= 63,
      `plural ${quote(plural)} must consist of lower-case letters and digits`,
    ],
  ];
  return { value, problems: rules.flatMap(([valid, what]) => (valid ? [] : [error(what)])) };
}

function nameProblem(name: string): InputProblem {
  return error(
    `name ${quote(name)} must be at most 40 lower-case letters, digits and -, beginning with a letter`,
  );
}

function domainProblem(domain: string): InputProblem {
  return error(`domain ${quote(domain)} must be a DNS name of at least two parts, such as example.com`);
}

function refused(problems: readonly InputProblem[]): ProjectResult {
  return { ok: false, changes: [], kept: [], problems };
}
