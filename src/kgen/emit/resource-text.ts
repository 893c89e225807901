/** What is generated for one resource: client interface, lister, informer, events, descriptor, watch helper. */
import type { GroupVersion, Resource, Subresource, Verb } from '../model/ir.ts';
import { comment, type Tag } from './docs.ts';
import { literal, methodName, quoted, quotedUnion, stringArray } from './literals.ts';
import type { Constant, Module } from './module.ts';
import type { EmitOptions } from './options.ts';

/** A resource on its way into a module. */
export interface ResourceContext {
  readonly groupVersion: GroupVersion;
  readonly resource: Resource;
  readonly module: Module;
  readonly options: EmitOptions;
}

const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Adds everything that belongs to a resource. */
export function declareResource(context: ResourceContext): void {
  const { module, options, resource } = context;
  const { names } = resource;
  module.declare(clientText(context));
  if (options.informers && options.listers) {
    const lister = listerType(context);
    module.declare(
      `${doc([`Reads ${resource.plural} from an informer's memory.`])}export type ${names.lister} = ${lister};\n`,
    );
  }
  if (options.informers) {
    const text = `${module.runtimeType('Informer')}<${names.type}, ${options.listers ? names.lister : listerType(context)}>`;
    module.declare(
      `${doc([`Keeps ${resource.plural} in memory.`])}export type ${names.informer} = ${text};\n`,
    );
  }
  const event = `${module.runtimeType('WatchEvent')}<${names.type}>`;
  module.declare(
    `${doc([`A change of one of the ${resource.plural}.`])}export type ${names.event} = ${event};\n`,
  );
  module.constant(descriptor(context));
  module.constant(watchHelper(context));
}

/** The type of the accessor of a resource in its group version's client. */
export function accessorText(context: ResourceContext): string {
  const { module, resource } = context;
  const { names } = resource;
  const one = comment([`The ${resource.plural} of one namespace${nick(resource)}.`], tags(context), '  ');
  if (resource.scope === 'Cluster') {
    const all = comment([`The ${resource.plural} of the cluster${nick(resource)}.`], tags(context), '  ');
    return `${all}  ${methodName(names.accessor)}(): ${names.client};\n`;
  }
  const across = `${module.runtimeType('AllNamespaces')}<${typeArguments(resource)}>`;
  const everywhere = comment(
    [`The ${resource.plural} of all namespaces: can be listed and watched.`],
    tags(context),
    '  ',
  );
  return `${one}  ${methodName(names.accessor)}(namespace: string): ${names.client};\n${everywhere}  ${methodName(names.accessor)}(): ${across};\n`;
}

/** The type of the accessor of a resource's informer. */
export function informerAccessorText(context: ResourceContext): string {
  const { module, resource } = context;
  const docs = comment([`The shared informer of ${resource.plural}.`], tags(context), '  ');
  const { accessor, informer, type } = resource.names;
  const field = fieldType(resource);
  const options = `${module.runtimeType('InformerOptions')}<${type}, ${field}>`;
  return `${docs}  ${methodName(accessor)}(options?: ${options}): ${informer};\n`;
}

/** The selectable fields as a type. */
function fieldType({ selectableFields }: Resource): string {
  return selectableFields.length === 0 ? 'never' : quotedUnion(selectableFields);
}

function doc(paragraphs: readonly string[]): string {
  return comment(paragraphs, [], '');
}

/** A version may be deprecated without a word; then the text is what servers say. */
function tags(context: ResourceContext): Tag[] {
  const { deprecated, kind } = context.resource;
  if (deprecated === undefined) return [];
  return [
    { name: 'deprecated', text: deprecated || `${context.groupVersion.apiVersion} ${kind} is deprecated` },
  ];
}

/** ` (kubectl: ma)` for a resource with short names. */
function nick(resource: Resource): string {
  const names = resource.shortNames.map((name) => `\`${name}\``).join(', ');
  return names === '' ? '' : ` (kubectl: ${names})`;
}

function path({ groupVersion, resource }: ResourceContext): string {
  const base = groupVersion.group === '' ? '/api' : '/apis';
  return `${base}/${groupVersion.apiVersion}/${resource.scope === 'Namespaced' ? 'namespaces/{namespace}/' : ''}${resource.plural}`;
}

/** The last type argument of what knows field selectors: the fields besides name and namespace, if there are any. */
function fieldsArgument({ selectableFields }: Resource): string {
  return selectableFields.length === 0 ? '' : `, ${quotedUnion(selectableFields)}`;
}

function typeArguments(resource: Resource): string {
  return `${resource.names.type}, ${resource.names.list}${fieldsArgument(resource)}`;
}

function clientText(context: ResourceContext): string {
  const { resource, module, options } = context;
  const where = resource.scope === 'Namespaced' ? 'one namespace' : 'the cluster';
  const paragraphs = [
    `The ${resource.plural} of ${where}: \`${path(context)}\`${nick(resource)}.`,
    ...(options.docs ? columnsText(resource) : []),
  ];
  const bases = [`${module.runtimeType('CustomCrud')}<${typeArguments(resource)}>`];
  for (const subresource of resource.subresources) bases.push(subresourceBase(subresource, context));
  const line = `export interface ${resource.names.client} extends ${bases.join(', ')} {}\n`;
  return `${comment(paragraphs, tags(context), '')}${
    line.length <= 111
      ? line
      : `export interface ${resource.names.client}\n  extends ${bases.join(',\n    ')} {}\n`
  }`;
}

/** The columns as one paragraph, which is a list. */
function columnsText({ printerColumns }: Resource): readonly string[] {
  const lines = printerColumns.map(({ name, type, description }) => {
    const line = `- \`${name}\` (${type})${description === undefined ? '' : `: ${description}`}`;
    return line.trim().replace(/\s+/g, ' ');
  });
  return lines.length === 0 ? [] : [['kubectl prints, beside the name:', ...lines].join('\n')];
}

function subresourceBase(subresource: Subresource, { module, resource }: ResourceContext): string {
  return subresource.body === 'Scale'
    ? module.runtimeType('WriteScale')
    : `${module.runtimeType('CustomWriteStatus')}<${resource.names.type}>`;
}

function listerType({ resource, module }: ResourceContext): string {
  const name = resource.scope === 'Namespaced' ? 'NamespacedLister' : 'ClusterLister';
  return `${module.runtimeType(name)}<${resource.names.type}>`;
}

function descriptor(context: ResourceContext): Constant {
  const { resource, module } = context;
  const scoped = resource.scope === 'Namespaced' ? 'NamespacedResource' : 'ClusterResource';
  const { names } = resource;
  const facts = descriptorFacts(context).map(([name, value]) => `  ${name}: ${value},\n`);
  return {
    name: names.constant,
    docs: comment(
      [
        `\`${context.groupVersion.apiVersion}/${resource.plural}\` for \`resource()\`, informers and controllers.`,
      ],
      tags(context),
      '',
    ),
    type: `${module.runtimeType(scoped)}<${names.type}, ${names.list}, ${names.client}${fieldsArgument(resource)}>`,
    value: `/* @__PURE__ */ ${module.runtimeValue('defineResource')}({\n${facts.join('')}})`,
  };
}

function descriptorFacts(context: ResourceContext): (readonly [string, string])[] {
  const { groupVersion, resource, module } = context;
  const facts: (readonly [string, string])[] = [
    ['group', quoted(groupVersion.group)],
    ['version', quoted(groupVersion.version)],
    ['kind', quoted(resource.kind)],
    ['listKind', quoted(resource.listKind)],
    ['plural', quoted(resource.plural)],
    ['singular', quoted(resource.singular)],
    ['scope', quoted(resource.scope)],
    ['verbs', verbsText(resource.verbs, module)],
  ];
  if (resource.shortNames.length > 0) facts.push(['shortNames', stringArray(resource.shortNames)]);
  if (resource.categories.length > 0) facts.push(['categories', stringArray(resource.categories)]);
  if (resource.subresources.length > 0) facts.push(['subresources', subresourcesText(resource.subresources)]);
  if (resource.selectableFields.length > 0) {
    facts.push(['selectableFields', stringArray(resource.selectableFields)]);
  }
  if (resource.builtIn) facts.push(['builtIn', literal(true)]);
  return facts;
}

function verbsText(verbs: readonly Verb[], module: Module): string {
  const complete = verbs.length === allVerbs.length && allVerbs.every((verb) => verbs.includes(verb));
  return complete ? module.runtimeValue('crud') : stringArray(verbs);
}

function subresourcesText(subresources: readonly Subresource[]): string {
  return `{ ${subresources.map(({ name, verbs }) => `${name}: ${stringArray(verbs)}`).join(', ')} }`;
}

function watchHelper(context: ResourceContext): Constant {
  const { resource, module } = context;
  const scoped = resource.scope === 'Namespaced' ? 'NamespacedWatchHelper' : 'ClusterWatchHelper';
  const { names } = resource;
  const watch = `/* @__PURE__ */ ${module.runtimeValue('watchResource')}`;
  const fields = fieldType(resource);
  return {
    docs: comment(
      [`Follows the changes of ${resource.plural}: \`for await (const event of ${names.watch}(rest))\`.`],
      tags(context),
      '',
    ),
    name: names.watch,
    type: `${module.runtimeType(scoped)}<${names.type}${fieldsArgument(resource)}>`,
    value: `${watch}(${names.constant})`,
    typedValue: `${watch}<${names.type}, ${names.list}, ${names.client}, ${fields}>(${names.constant})`,
  };
}
