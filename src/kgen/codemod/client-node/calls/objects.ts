/** Clients of objects of any kind, and functions of client-node. */
import { ts } from 'ts-morph';
import { visitAll } from '../../rewriting.ts';
import { isAwaitable } from '../configs/loading.ts';
import { clientsetText } from '../configs/plan.ts';
import type { Conversion } from '../state/conversion.ts';
import { bare, classOf, exportOf } from '../state/library.ts';
import { dropVariable } from '../streams/statements.ts';
import { chainText, initializerOf, isNothing, literalOf, type Members, patchType } from './parameters.ts';

const verbs: Readonly<Record<string, string>> = {
  create: 'create',
  read: 'get',
  patch: 'patch',
  replace: 'update',
  delete: 'delete',
};

/** Names of the positional parameters after the object. */
const objectParameters: Readonly<Record<string, readonly string[]>> = {
  create: ['pretty', 'dryRun', 'fieldManager'],
  read: ['pretty', 'exact', 'exportt'],
  patch: ['pretty', 'dryRun', 'fieldManager', 'force', 'patchStrategy'],
  replace: ['pretty', 'dryRun', 'fieldManager'],
  delete: ['pretty', 'dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy', 'body'],
};

/** Converts calls of `KubernetesObjectApi`: `client.read(object)` is `client.get(object)`. */
export function convertObjects(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: client, name } = node.expression;
  if (classOf(conversion, client) !== 'KubernetesObjectApi') return undefined;
  if (name.text === 'list') return listText(conversion, node, client);
  const [verb, names] = [verbs[name.text], objectParameters[name.text]];
  const [object, ...others] = node.arguments;
  if (verb === undefined || names === undefined || object === undefined) {
    conversion.report(node, `${name.text} of KubernetesObjectApi has no equivalent`);
    return undefined;
  }
  const members: Members = new Map();
  for (const [index, argument] of others.entries()) {
    const option = names[index] ?? 'options';
    if (isNothing(argument) || /^(pretty|exact|exportt|force|orphanDependents|patchStrategy)$/.test(option))
      continue;
    if (/^(body|options)$/.test(option)) conversion.report(argument, 'pass these options by their names');
    else members.set(option, conversion.render(argument));
  }
  if (name.text === 'patch') members.set('type', `'${patchType(conversion, others[4]) ?? 'strategic'}'`);
  const text = conversion.moved(object, node);
  const last = members.size === 0 ? [] : [literalOf(conversion, members, node)];
  const own = `${conversion.render(client)}.${verb}`;
  const [given] = (node.typeArguments ?? []).map((each) => conversion.render(each));
  const type = given === undefined ? '' : `<${given}>`;
  if (verb !== 'get' && verb !== 'patch') return `${own}${type}(${[text, ...last].join(', ')})`;
  const needsType = conversion.isTypeScript && !isIdentity(conversion, object);
  const identity = needsType
    ? `${text} as ${conversion.use('@kgen/runtime/dynamic', 'ObjectIdentity', true)}${type}`
    : text;
  if (verb === 'get') return `${own}${type}(${[identity, ...last].join(', ')})`;
  return `${own}${needsType ? '<any>' : ''}(${[identity, text, ...last].join(', ')})`;
}

/** Returns whether the type of an object includes apiVersion, kind and name: a variable with a literal. */
function isIdentity(conversion: Conversion, node: ts.Expression): boolean {
  const value = ts.isIdentifier(node) ? initializerOf(conversion, node) : undefined;
  const declaration = value && conversion.symbolOf(node)?.valueDeclaration;
  const isTyped =
    declaration !== undefined && ts.isVariableDeclaration(declaration) && declaration.type !== undefined;
  return value !== undefined && !isTyped && ts.isObjectLiteralExpression(value);
}

function listText(conversion: Conversion, node: ts.CallExpression, client: ts.Expression): string {
  const [apiVersion, kind, namespace, , , , fieldSelector, labelSelector, limit] = node.arguments;
  const text = (each: ts.Expression | undefined) =>
    each === undefined ? undefined : conversion.render(each);
  const place = isNothing(namespace) ? '' : `, metadata: { namespace: ${text(namespace)} }`;
  const members: Members = new Map();
  for (const [name, value] of Object.entries({ fieldSelector, labelSelector, limit }))
    if (value !== undefined && !isNothing(value)) members.set(name, conversion.render(value));
  const options = members.size === 0 ? '' : literalOf(conversion, members, node);
  const object = `{ apiVersion: ${text(apiVersion)}, kind: ${text(kind)}${place} }`;
  return `${conversion.render(client)}.clientFor(${object}).then(({ client }) => client.list(${options}))`;
}

/** Finds objects without `apiVersion`, for which `KubernetesObjectApi` assumes `v1`. */
export function planObjects(conversion: Conversion): void {
  visitAll(conversion.source, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (classOf(conversion, node.expression.expression) !== 'KubernetesObjectApi') return;
    const [object] = node.arguments;
    const value = object && ts.isIdentifier(object) ? initializerOf(conversion, object) : object;
    if (value === undefined || !ts.isObjectLiteralExpression(value)) return;
    const names = value.properties.map(({ name }) => name?.getText());
    if (names.includes('kind') && !names.includes('apiVersion')) withoutVersion.add(value);
  });
}

const withoutVersion = new WeakSet<ts.Node>();

/** Adds `apiVersion` to an object. */
export function addVersion(conversion: Conversion, node: ts.Node): string | undefined {
  if (!withoutVersion.has(node)) return undefined;
  return conversion.renderChildren(node).replace(/^\{(\s*)/, "{$1apiVersion: 'v1',$1");
}

/** Converts calls of `CustomObjectsApi`: the client of a resource that is named at run time. */
export function convertCustom(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: client, name } = node.expression;
  if (classOf(conversion, client) !== 'CustomObjectsApi') return undefined;
  const found =
    /^(list|get|create|replace|patch|delete|deleteCollection)(Namespaced|Cluster)?CustomObject(Status|ForAllNamespaces)?$/.exec(
      name.text,
    );
  const given = found === null ? undefined : customArguments(conversion, node, found[2] === 'Namespaced');
  if (found === null || given === undefined) {
    conversion.report(node, `${name.text} of CustomObjectsApi cannot be converted`);
    return undefined;
  }
  const [, verb = '', , suffix] = found;
  const type = conversion.isTypeScript ? '<any>' : '';
  const namespace = given.get('namespace');
  const scope = namespace === undefined ? [] : [`.namespace(${namespace})`];
  const plural = given.get('plural') ?? given.get('resourcePlural');
  const resource = literalOf(
    conversion,
    new Map([
      ['group', given.get('group') ?? ''],
      ['version', given.get('version') ?? ''],
      ['resource', plural ?? ''],
    ]),
    node,
  );
  const method = `${verb === 'replace' ? 'update' : verb}${suffix === 'Status' ? 'Status' : ''}`;
  const list = customTexts(conversion, node, verb, given);
  const parts = [`.resource${type}(${resource})`, ...scope, `.${method}(${list.join(', ')})`];
  return chainText(conversion, conversion.render(client), parts, node);
}

function customArguments(
  conversion: Conversion,
  node: ts.CallExpression,
  isNamespaced: boolean,
): ReadonlyMap<string, string> | undefined {
  const [first, ...more] = node.arguments;
  if (first === undefined) return undefined;
  if (ts.isObjectLiteralExpression(first)) {
    const members = first.properties.map((member) => {
      const name = member.name?.getText() ?? '';
      return [
        name,
        ts.isPropertyAssignment(member) ? conversion.moved(member.initializer, node) : name,
      ] as const;
    });
    return members.some(([name]) => name === '') ? undefined : new Map(members);
  }
  const named = /create|list|deleteCollection/i.test(node.expression.getText()) ? [] : ['name'];
  const names = ['group', 'version', ...(isNamespaced ? ['namespace'] : []), 'plural', ...named, 'body'];
  const all = [first, ...more].slice(0, names.length);
  return new Map(all.map((each, index) => [names[index] ?? '', conversion.moved(each, node)]));
}

function customTexts(
  conversion: Conversion,
  node: ts.CallExpression,
  verb: string,
  given: ReadonlyMap<string, string>,
): readonly string[] {
  const members: Members = new Map();
  for (const [name, text] of given)
    if (
      /^(labelSelector|fieldSelector|limit|resourceVersion|dryRun|fieldManager|gracePeriodSeconds|propagationPolicy|timeoutSeconds)$/.test(
        name,
      )
    )
      members.set(name, text);
  const [name, body] = [given.get('name'), given.get('body')];
  if (verb === 'patch')
    members.set(
      'type',
      `'${patchType(conversion, node.arguments.at(-1)) ?? (body?.startsWith('[') ? 'json' : 'merge')}'`,
    );
  const hasName = verb === 'get' || verb === 'delete' || verb === 'patch';
  const hasBody = verb === 'create' || verb === 'replace' || verb === 'patch';
  return [
    ...(hasName && name !== undefined ? [name] : []),
    ...(hasBody && body !== undefined ? [body] : []),
    ...(members.size === 0 ? [] : [literalOf(conversion, members, node)]),
  ];
}

/** Converts functions of client-node, and the version of the server. */
export function convertFunctions(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return topMember(conversion, node);
  const name = exportOf(conversion, node.expression);
  if (name === undefined) return versionCall(conversion, node);
  if (/^(loadYaml|loadAllYaml|dumpYaml)$/.test(name)) return yamlCall(conversion, node, name);
  return name === 'topNodes' || name === 'topPods' ? topCall(conversion, node, name) : undefined;
}

function versionCall(conversion: Conversion, node: ts.CallExpression): string | undefined {
  const { expression: callee } = node;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'getCode') return undefined;
  if (classOf(conversion, callee.expression) !== 'VersionApi') return undefined;
  return `${conversion.render(callee.expression)}.serverVersion()`;
}

function yamlCall(conversion: Conversion, node: ts.CallExpression, name: string): string | undefined {
  if (!isAwaitable(node)) {
    conversion.report(node, `${name} is asynchronous: the function must be async`);
    return undefined;
  }
  const [value] = node.arguments;
  const argument = value === undefined ? '' : yamlText(conversion, value);
  const tool = conversion.use('@kgen/runtime/yaml', name);
  const [typed] = node.typeArguments ?? [];
  const type = typed === undefined ? 'any' : conversion.render(typed);
  const call = `await ${tool}${name === 'dumpYaml' || !conversion.isTypeScript ? '' : `<${type}>`}(${argument})`;
  if (name !== 'dumpYaml' && !conversion.isTypeScript) return `/** @type {any} */ (${call})`;
  const isWhole = ts.isVariableDeclaration(node.parent) || ts.isCallExpression(node.parent);
  return isWhole ? call : `(${call})`;
}

/** Returns a string for the parser, also of a file that is read as bytes. */
function yamlText(conversion: Conversion, node: ts.Expression): string {
  const text = conversion.render(node);
  const call = bare(node);
  const isBytes =
    ts.isCallExpression(call) &&
    /\breadFile(Sync)?$/.test(call.expression.getText()) &&
    call.arguments.length === 1;
  return isBytes ? `${text.slice(0, -1)}, 'utf8')` : text;
}

function topCall(conversion: Conversion, node: ts.CallExpression, name: string): string | undefined {
  const [api, metrics, namespace] = node.arguments;
  const made = api && ts.isIdentifier(api) ? initializerOf(conversion, api) : api;
  const isMade =
    made !== undefined && ts.isCallExpression(made) && ts.isPropertyAccessExpression(made.expression);
  const config = metrics ?? (isMade ? made.expression : undefined);
  if (config === undefined) {
    conversion.report(node, `call ${name} of @kgen/runtime/tools with the clientset`);
    return undefined;
  }
  const clientset = clientsetText(
    conversion,
    ts.isPropertyAccessExpression(config) && config === made?.getChildAt(0) ? config.expression : config,
  );
  const options =
    namespace === undefined || isNothing(namespace)
      ? ''
      : `, ${literalOf(conversion, new Map([['namespace', conversion.render(namespace)]]), node)}`;
  conversion.note(node, `${name} is a function of @kgen/runtime/tools with cores and bytes`);
  return `${conversion.use('@kgen/runtime/tools', name)}(${clientset}${options})`;
}

/** Leaves out API clients that are only arguments of `topPods` and `topNodes`. */
export function planTop(conversion: Conversion): void {
  visitAll(conversion.source, (node) => {
    if (!ts.isCallExpression(node) || !isTop(conversion, node)) return;
    dropVariable(
      conversion,
      node.arguments[0],
      (each) => ts.isCallExpression(each.parent) && isTop(conversion, each.parent),
    );
  });
}

const isTop = (conversion: Conversion, node: ts.CallExpression): boolean =>
  /^top(Pods|Nodes)$/.test(exportOf(conversion, node.expression) ?? '');

/** Members of usage, as their ends are written. */
const usageMembers: readonly (readonly [RegExp, string])[] = [
  [/\.(Pod|Node)\??\.metadata[?!]?\.name$/, '.name'],
  [/\.(Pod)\??\.metadata[?!]?\.namespace$/, '.namespace'],
  [/\.CPU(Usage)?\.CurrentUsage$/, '.cpu'],
  [/\.Memory(Usage)?\.CurrentUsage$/, '.memory'],
  [/\.Containers$/, '.containers'],
  [/\.Container$/, '.name'],
];

function topMember(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(node) || !/\btop(Pods|Nodes)\b/.test(conversion.source.text))
    return undefined;
  const text = node.getText();
  const found = usageMembers.find(([pattern]) => pattern.test(text));
  if (found !== undefined) return text.replace(found[0], found[1]);
  if (/\.(CPU|Memory)(Usage)?\.(RequestTotal|LimitTotal|Capacity)$/.test(text))
    conversion.report(node, `${node.name.text} is not part of the usage: read it from the Pod or Node`);
  return undefined;
}
