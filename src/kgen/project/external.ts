/** `kgen create api --external`: kinds of other operators and of Kubernetes. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { array, isObject, type JsonObject, omit, own, text } from '@kgen/schema/values/json';
import { type Checked, error, hasErrors, type InputProblem, listed, quote } from '../common/problems.ts';
import { loadCrds } from '../input/load.ts';
import { clashOf, projectIn, refused } from './create.ts';
import { changeProject, type ProjectOptions, type ProjectResult } from './project.ts';
import { externalFolder, type ProjectKind, type ProjectRecord } from './record.ts';

/** Options of `createExternalApi`. */
export interface CreateExternalApiOptions extends ProjectOptions {
  /** Group, version and kind: `cert-manager.io/v1/Certificate`, `apps/v1/Deployment`, `v1/Pod`. */
  readonly external: string;
  /**
   * File, folder, glob pattern or https address of the definition; `cluster` for the cluster of the current
   * context. Absent for a kind of Kubernetes.
   */
  readonly from?: string;
  /** Whether a controller and its tests are written. Default: false. */
  readonly controller?: boolean;
}

/** A kind of others, and the file of its definition. */
interface ExternalKind {
  readonly kind: ProjectKind;
  readonly files: ReadonlyMap<string, string>;
}

type KindName = Pick<ProjectKind, 'group' | 'version' | 'kind'>;

/**
 * Adds a kind that the project neither defines nor installs: of another operator, whose definition is copied
 * to `external`, or of Kubernetes. Repeated for a kind of the project, its definition is replaced.
 */
export async function createExternalApi(options: CreateExternalApiOptions): Promise<ProjectResult> {
  const { external, from, controller = false, cwd = process.cwd() } = options;
  const { value: project, problems } = projectIn(options);
  if (project === undefined) return refused(problems);
  const name = kindNameOf(external);
  if (name === undefined) return refused([error(`${quote(external)} is not a kind: ${form}`)]);
  const found = from === undefined ? await builtInKind(name, cwd) : await definedKind(name, from, cwd);
  if (found.value === undefined) return refused(found.problems);
  const { kind, files } = found.value;
  const known = project.facts.kinds.find((each) => each.kind.toLowerCase() === kind.kind.toLowerCase());
  const isSame =
    known?.origin === kind.origin && known?.group === kind.group && known.version === kind.version;
  if (known !== undefined && !isSame) return refused(clashes(kind, known));
  return change(
    project,
    { ...kind, hasController: controller || known?.hasController === true },
    files,
    options,
  );
}

const form =
  'give group, version and kind, such as cert-manager.io/v1/Certificate, apps/v1/Deployment or v1/Pod';

function clashes(kind: ProjectKind, known: ProjectKind): readonly InputProblem[] {
  const version = `the project has a kind ${known.kind} of ${known.group} in ${known.version} already`;
  const found = clashOf({ ...kind, version: known.version }, known);
  return kind.group === known.group ? [error(version)] : found;
}

function change(
  project: ProjectRecord,
  kind: ProjectKind,
  files: ReadonlyMap<string, string>,
  options: ProjectOptions,
): ProjectResult {
  const { facts } = project;
  const kinds = [...facts.kinds.filter((each) => each.kind !== kind.kind), kind];
  return changeProject(project, { ...facts, kinds }, options, { own: files, bases: new Map() });
}

/** Returns the parts of the name of a kind; the group without a name is `core`. */
function kindNameOf(external: string): KindName | undefined {
  const parts = external.split('/');
  const [group = '', version = '', kind = ''] = parts.length === 2 ? ['core', ...parts] : parts;
  const isValid = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(group) && /^v[0-9][a-z0-9]*$/.test(version);
  return parts.length <= 3 && isValid && /^[A-Z][A-Za-z0-9]*$/.test(kind)
    ? { group, version, kind }
    : undefined;
}

/** Returns a kind of the installed `@kgen/kubernetes`. */
async function builtInKind(name: KindName, cwd: string): Promise<Checked<ExternalKind | undefined>> {
  const { group, version, kind } = name;
  const loaded = await loadCatalog(cwd);
  if (loaded === undefined)
    return failed(
      'the kinds of Kubernetes are those of @kgen/kubernetes: install the packages of the project first',
    );
  const key = [...(group === 'core' ? [] : [group]), version, kind].join('/');
  const load = Object.hasOwn(loaded, key) ? loaded[key] : undefined;
  if (load === undefined) {
    const others = Object.keys(loaded).filter((each) => each.endsWith(`/${kind}`));
    const found = others.length === 0 ? '' : `; Kubernetes has ${listed(others)}`;
    return failed(
      `${key} is not a kind of Kubernetes${found}: give the definition of another operator with --from`,
    );
  }
  const { plural, scope } = await load();
  const value: ProjectKind = { ...name, plural, scope, hasController: false, origin: 'built-in' };
  return { value: { kind: value, files: new Map() }, problems: [] };
}

type Catalog = Readonly<Record<string, () => Promise<Pick<ProjectKind, 'plural' | 'scope'>>>>;

async function loadCatalog(cwd: string): Promise<Catalog | undefined> {
  let path: string;
  try {
    path = createRequire(join(cwd, 'package.json')).resolve('@kgen/kubernetes/catalog');
  } catch {
    return undefined;
  }
  const { catalog }: { readonly catalog: Catalog } = await import(pathToFileURL(path).href);
  return catalog;
}

/** Returns a kind whose definition is in a source. */
async function definedKind(
  name: KindName,
  from: string,
  cwd: string,
): Promise<Checked<ExternalKind | undefined>> {
  const { value: definitions, problems } = await (from === 'cluster'
    ? clusterDefinitions()
    : fileDefinitions(from, cwd));
  const found = definitions.find(
    (each) => groupOf(each) === name.group && text(each, 'spec', 'names', 'kind') === name.kind,
  );
  const place = from === 'cluster' ? 'the cluster' : from;
  if (found === undefined) {
    const names = definitions.map(
      (each) => `${groupOf(each)}/${servedVersions(each).join(',')}/${text(each, 'spec', 'names', 'kind')}`,
    );
    if (names.length === 0 && hasErrors(problems)) return { value: undefined, problems };
    const has = names.length === 0 ? 'no definition' : listed([...names].sort());
    return failed(`${place} does not define ${name.kind} of ${name.group}: it has ${has}`);
  }
  const served = servedVersions(found);
  if (!served.includes(name.version)) {
    const what = `${text(found, 'metadata', 'name')} does not serve ${name.version}: it serves ${served.join(', ')}`;
    return failed(what);
  }
  if (text(found, 'apiVersion') !== 'apiextensions.k8s.io/v1')
    return failed(
      `${text(found, 'metadata', 'name')} is a definition of ${text(found, 'apiVersion')}: convert it to v1`,
    );
  const plural = text(found, 'spec', 'names', 'plural');
  const scope = text(found, 'spec', 'scope') === 'Cluster' ? 'Cluster' : 'Namespaced';
  const kind: ProjectKind = { ...name, plural, scope, hasController: false, origin: 'external' };
  const path = `${externalFolder}/${name.group}_${plural}.yaml`;
  return { value: { kind, files: new Map([[path, await definitionText(found)]]) }, problems: [] };
}

const groupOf = (definition: JsonObject): string => text(definition, 'spec', 'group');

function servedVersions(definition: JsonObject): readonly string[] {
  return array(definition, 'spec', 'versions')
    .filter((version) => isObject(version) && own(version, 'served') === true)
    .map((version) => text(version, 'name'));
}

/** Returns a definition without its conversion, whose webhook belongs to the other operator. */
async function definitionText(definition: JsonObject): Promise<string> {
  const { dumpYaml } = await import('@kgen/runtime/yaml');
  const spec = own(definition, 'spec');
  const value = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: text(definition, 'metadata', 'name') },
    spec: isObject(spec) ? omit(spec, 'conversion') : {},
  };
  return `# The definition of another operator, copied by kgen create api --external. It is not installed.\n${await dumpYaml(value)}`;
}

async function fileDefinitions(from: string, cwd: string): Promise<Checked<readonly JsonObject[]>> {
  const { crds, problems } = await loadCrds({ input: [from], cwd, stdin: Readable.from([]) });
  return { value: crds.map(({ input }) => input.value), problems };
}

async function clusterDefinitions(): Promise<Checked<readonly JsonObject[]>> {
  const { explained, Refusal, refusalText, Unavailable } = await import('../cluster/refusal.ts');
  const { connect } = await import('../manifests/changes/cluster.ts');
  let cluster: Awaited<ReturnType<typeof connect>> | undefined;
  const value: JsonObject[] = [];
  try {
    cluster = await connect({});
    for await (const each of cluster.definitions())
      value.push({ ...each, apiVersion: 'apiextensions.k8s.io/v1' });
    return { value, problems: [] };
  } catch (cause) {
    const why = explained(await import('@kgen/runtime'), cause, '');
    if (!(why instanceof Refusal || why instanceof Unavailable)) throw cause;
    return {
      value: [],
      problems: [error(`the definitions of the cluster cannot be read: ${refusalText(why)}`)],
    };
  } finally {
    await cluster?.close();
  }
}

function failed(what: string): Checked<undefined> {
  return { value: undefined, problems: [error(what)] };
}
