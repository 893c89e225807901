/** Resources of a program: facts of descriptors, found by the types and values that refer to them. */
import { dirname, join } from 'node:path';
import { ts } from 'ts-morph';
import type { Disk } from '../../input/modules/disk.ts';
import { bare, memberOf, origin, stringOf, symbolAt } from './values.ts';

/** A resource of the API. */
export interface ResourceId {
  readonly group: string;
  readonly plural: string;
  readonly kind?: string | undefined;
  /** Absent for names without one. */
  readonly version?: string | undefined;
  /** Whether the kind is one of Kubernetes itself. */
  readonly builtIn?: boolean | undefined;
  /** `false` for a resource without namespaces. */
  readonly isNamespaced: boolean;
}

/** The resources that a program can name. */
export interface Resources {
  /** Returns the resources to which a type refers: of a client, a descriptor, an object or an informer. */
  ofType(type: ts.Type): readonly ResourceId[];
  /** Returns whether a file is a generated module of a group version. */
  isModule(source: ts.SourceFile): boolean;
  /** Returns the resource of a descriptor, or of a name that is a literal. */
  ofName(node: ts.Expression): readonly ResourceId[];
  /** Returns the resource of a whole object, by its apiVersion and kind. */
  ofObject(node: ts.Expression): readonly ResourceId[];
  /** Returns the resource of a kind; `undefined` if no module of the program has it. */
  ofKind(apiVersion: string, kind: string): ResourceId | undefined;
}

const descriptorTypes: ReadonlySet<string> = new Set(['NamespacedResource', 'ClusterResource']);

/** Finds the descriptors of a program. */
export function resourcesOf(program: ts.Program, disk: Disk): Resources {
  const checker = program.getTypeChecker();
  const index = descriptorIndex(program, checker, disk);
  const kinds = kindIndex(program, index.modules, disk);
  const modules = new Set(index.modules.map(({ file }) => file));
  const ofType = (type: ts.Type): readonly ResourceId[] => unique(typeResources(checker, index, type, 0));
  const ofKind = (apiVersion: string, kind: string): ResourceId | undefined => kinds(`${apiVersion}/${kind}`);
  return {
    ofType,
    ofKind,
    isModule: ({ fileName }) => modules.has(fileName),
    ofName: (node) => {
      const typed = ofType(checker.getTypeAtLocation(bare(node)));
      if (typed.length > 0) return typed;
      const found = namedResource(checker, index, node);
      return found === undefined ? [] : [found];
    },
    ofObject: (node) => {
      const [apiVersion, kind] = ['apiVersion', 'kind'].map((name) => memberText(checker, node, name));
      const found = apiVersion && kind ? ofKind(apiVersion, kind) : undefined;
      return found === undefined ? ofType(checker.getTypeAtLocation(node)) : [found];
    },
  };
}

function unique(resources: readonly ResourceId[]): readonly ResourceId[] {
  return [...new Map(resources.map((each) => [`${each.group}/${each.plural}`, each])).values()];
}

/** Returns a member of a literal, or the literal type of a member. */
function memberText(checker: ts.TypeChecker, node: ts.Expression, name: string): string | undefined {
  const written = stringOf(checker, memberOf(checker, node, name));
  if (written !== undefined) return written;
  const property = checker.getTypeAtLocation(node).getProperty(name);
  const type = property && checker.getNonNullableType(checker.getTypeOfSymbol(property));
  return type?.isStringLiteral() ? type.value : undefined;
}

/** Descriptors by the symbols of their types and their own. */
interface DescriptorIndex {
  readonly types: ReadonlyMap<ts.Symbol, ResourceId>;
  readonly values: ReadonlyMap<ts.Symbol, ResourceId>;
  /** Modules with descriptors. */
  readonly modules: readonly { readonly file: string; readonly resources: readonly DescribedResource[] }[];
}

interface DescribedResource extends ResourceId {
  readonly version: string;
}

function descriptorIndex(program: ts.Program, checker: ts.TypeChecker, disk: Disk): DescriptorIndex {
  const types = new Map<ts.Symbol, ResourceId>();
  const values = new Map<ts.Symbol, ResourceId>();
  const modules = [];
  for (const file of program.getSourceFiles()) {
    if (!/\b(Namespaced|Cluster)Resource</.test(file.text)) continue;
    const resources: DescribedResource[] = [];
    for (const declaration of descriptorsIn(file)) {
      const facts = factsOf(checker, declaration, disk);
      const symbol = checker.getSymbolAtLocation(declaration.name);
      if (facts === undefined || symbol === undefined) continue;
      values.set(symbol, facts);
      resources.push(facts);
      for (const each of typeSymbols(checker, declaration)) types.set(each, facts);
    }
    if (resources.length > 0) modules.push({ file: file.fileName, resources });
  }
  return { types, values, modules };
}

type Descriptor = ts.VariableDeclaration & {
  readonly name: ts.Identifier;
  readonly type: ts.TypeReferenceNode;
};

function descriptorsIn(file: ts.SourceFile): readonly Descriptor[] {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .filter(isDescriptor);
}

function isDescriptor(node: ts.VariableDeclaration): node is Descriptor {
  const { name, type } = node;
  if (!ts.isIdentifier(name) || type === undefined || !ts.isTypeReferenceNode(type)) return false;
  return ts.isIdentifier(type.typeName) && descriptorTypes.has(type.typeName.text);
}

/** The symbols of the object and of the client. Reviews and lists of no resource have none. */
function typeSymbols(checker: ts.TypeChecker, { type }: Descriptor): readonly ts.Symbol[] {
  const [object, , client] = type.typeArguments ?? [];
  return [object, client].flatMap((each) => {
    const symbol = each && checker.getTypeFromTypeNode(each).getSymbol();
    return symbol === undefined || symbol.getName() === '__type' ? [] : [symbol];
  });
}

/** Returns the facts of a descriptor: of its initializer, or of the JavaScript beside its declaration. */
function factsOf(
  checker: ts.TypeChecker,
  { name, initializer }: Descriptor,
  disk: Disk,
): DescribedResource | undefined {
  if (initializer !== undefined) return factsIn(bare(initializer));
  const { fileName } = name.getSourceFile();
  const module = fileName.replace(/\.d\.([cm]?)ts$/, '.$1js');
  return writtenFacts(module, disk).get(name.text) ?? factsIn(origin(checker, name));
}

type WrittenFacts = ReadonlyMap<string, DescribedResource>;

const parsed = new Map<string, { readonly text: string; readonly facts: WrittenFacts }>();

/** Returns the descriptors of a module of JavaScript, which the compiler does not read. */
function writtenFacts(path: string, disk: Disk): WrittenFacts {
  const text = disk.readFile(path) ?? '';
  const known = parsed.get(path);
  if (known?.text === text) return known.facts;
  const found = new Map<string, DescribedResource>();
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      const facts = initializer && factsIn(bare(initializer));
      if (facts !== undefined && ts.isIdentifier(name)) found.set(name.text, facts);
    }
  }
  parsed.set(path, { text, facts: found });
  return found;
}

/** Returns the facts of `defineResource({ … })`. Pure syntax. */
function factsIn(node: ts.Expression): DescribedResource | undefined {
  const [argument] = ts.isCallExpression(node) ? node.arguments : [];
  if (argument === undefined || !ts.isObjectLiteralExpression(argument)) return undefined;
  const members = new Map<string, string>();
  let builtIn = false;
  for (const property of argument.properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) continue;
    if (property.name.text === 'builtIn') builtIn = property.initializer.kind === ts.SyntaxKind.TrueKeyword;
    if (ts.isStringLiteralLike(property.initializer))
      members.set(property.name.text, property.initializer.text);
  }
  const [group, version, kind] = ['group', 'version', 'kind'].map((name) => members.get(name));
  const plural = members.get('plural') ?? members.get('resource');
  if (group === undefined || version === undefined || plural === undefined) return undefined;
  const isNamespaced = members.get('scope') !== 'Cluster';
  return { group: groupOf(group), version, plural, kind, isNamespaced, builtIn };
}

const groupOf = (group: string): string => (group === 'core' ? '' : group);

/** Returns resources by apiVersion and kind: those of the modules, then those of catalogs. */
function kindIndex(
  program: ts.Program,
  modules: DescriptorIndex['modules'],
  disk: Disk,
): (key: string) => ResourceId | undefined {
  const apiVersion = ({ group, version }: DescribedResource): string =>
    group === '' ? version : `${group}/${version}`;
  const described = modules.flatMap(({ resources }) => resources);
  const known = new Map<string, ResourceId>(
    described.flatMap((each) =>
      each.kind === undefined ? [] : [[`${apiVersion(each)}/${each.kind}`, each]],
    ),
  );
  let catalogs: readonly string[] | undefined;
  return (key) => {
    if (known.has(key)) return known.get(key);
    catalogs ??= catalogsOf(program, modules, disk);
    for (const path of catalogs) {
      const found = catalogued(path, key, disk);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Returns the catalogs of the outputs that the program imports, and that of `@kgen/kubernetes`. */
function catalogsOf(program: ts.Program, modules: DescriptorIndex['modules'], disk: Disk): readonly string[] {
  const [root = ''] = program.getRootFileNames();
  const options = program.getCompilerOptions();
  const resolved = ts.resolveModuleName('@kgen/kubernetes/catalog', root, options, disk);
  const builtIn = resolved.resolvedModule?.resolvedFileName.replace(/\.d\.([cm]?)ts$/, '.$1js');
  // The folder of an output is above those of groups and versions.
  const own = modules.map(({ file }) => join(dirname(dirname(dirname(file))), 'catalog'));
  const files = own.flatMap((path) => [`${path}.ts`, `${path}.js`]).filter((path) => disk.fileExists(path));
  return [...new Set([...files, ...(builtIn === undefined ? [] : [builtIn])])];
}

function catalogued(path: string, key: string, disk: Disk): ResourceId | undefined {
  const text = disk.readFile(path) ?? '';
  const start = text.indexOf(
    `'${key}': () =>`,
    text.indexOf('catalog = {') + 1 || text.indexOf('catalog: Catalog'),
  );
  const entry = /^[^,]*?import\('([^']+)'\)\.then\(\(module\) => module\.(\w+)\)/.exec(text.slice(start));
  if (start === -1 || entry === null) return undefined;
  const [, module = '', name = ''] = entry;
  const file = join(dirname(path), module);
  return writtenFacts(file, disk).get(name) ?? writtenFacts(file.replace(/js$/, 'ts'), disk).get(name);
}

function typeResources(
  checker: ts.TypeChecker,
  index: DescriptorIndex,
  type: ts.Type,
  depth: number,
): readonly ResourceId[] {
  if (depth > 5) return [];
  const symbol = type.getSymbol();
  const direct = symbol && index.types.get(symbol);
  if (direct !== undefined) return [direct];
  const below = (types: readonly ts.Type[] | undefined): readonly ResourceId[] =>
    (types ?? []).flatMap((each) => typeResources(checker, index, each, depth + 1));
  const aliased = below(type.aliasTypeArguments);
  if (aliased.length > 0) return aliased;
  if (type.isUnionOrIntersection()) return below(type.types);
  if ((type.flags & ts.TypeFlags.Instantiable) !== 0)
    return below([checker.getBaseConstraintOfType(type) ?? []].flat());
  const [first, ...others] = typeArguments(checker, type);
  const found = below(first && [first]);
  if (found.length > 0) return found;
  const parameter = below(others);
  if (parameter.length > 0) return parameter;
  return type.isClassOrInterface() ? below(checker.getBaseTypes(type)) : [];
}

/** Returns the arguments of a generic class or interface. */
export function typeArguments(checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] {
  if (!('objectFlags' in type) || (Number(type.objectFlags) & ts.ObjectFlags.Reference) === 0) return [];
  return checker.getTypeArguments(type as ts.TypeReference); // seam: the flag is that of references
}

/** Returns the resource of a descriptor or a literal whose type contains no resource. */
function namedResource(
  checker: ts.TypeChecker,
  index: DescriptorIndex,
  node: ts.Expression,
): ResourceId | undefined {
  const symbol = symbolAt(checker, bare(node));
  const known = symbol && index.values.get(symbol);
  if (known !== undefined) return known;
  const value = origin(checker, node);
  // `dynamicResource({ … })` and `defineResource({ … })`.
  const literal = ts.isCallExpression(value) ? value.arguments[0] : value;
  if (literal === undefined) return undefined;
  const member = (name: string): string | undefined => stringOf(checker, memberOf(checker, literal, name));
  const [group, plural] = [member('group'), member('resource') ?? member('plural')];
  if (group === undefined || plural === undefined) return undefined;
  return {
    group: groupOf(group),
    plural,
    kind: member('kind'),
    version: member('version'),
    isNamespaced: member('scope') !== 'Cluster',
  };
}
