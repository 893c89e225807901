/** Constants of a resource: its descriptor, and the watch helper that is built from it. */
import type { Subresource } from '../../model/ir.ts';
import { literal, objectKey, quoted, stringArray } from '../text/literals.ts';
import type { Constant } from '../text/module.ts';
import { fieldsArgument, fieldType, isCrud, isWatchable, listType } from './capabilities.ts';
import { kindPlural, sentence } from './resource-docs.ts';
import { hasCodec, hasSchema, type ResourceContext } from './scope.ts';
import { type BodyKind, bodyKinds } from './subresources.ts';

export function descriptor(context: ResourceContext): Constant {
  const { groupVersion, resource, module } = context;
  const scoped = resource.scope === 'Namespaced' ? 'NamespacedResource' : 'ClusterResource';
  const { names, plural } = resource;
  const facts = descriptorFacts(context).map(([name, value]) =>
    name === value ? `  ${name},\n` : `  ${name}: ${value},\n`,
  );
  return {
    name: names.constant,
    docs: sentence(
      `Descriptor of \`${groupVersion.apiVersion}/${plural}\` for \`resource()\`${isWatchable(resource) ? ' and informers' : ''}.`,
      context,
    ),
    type: `${module.runtimeType(scoped)}<${names.type}, ${listType(resource)}, ${names.client}${fieldsArgument(resource)}>`,
    value: `/* @__PURE__ */ ${module.runtimeValue('defineResource')}({\n${facts.join('')}})`,
  };
}

function descriptorFacts(context: ResourceContext): (readonly [string, string])[] {
  const { groupVersion, resource } = context;
  const facts: (readonly [string, string])[] = [
    ['group', quoted(groupVersion.group)],
    ['version', quoted(groupVersion.version)],
    ['kind', quoted(resource.kind)],
    ['listKind', quoted(resource.listKind)],
    ['plural', quoted(resource.plural)],
    ['singular', quoted(resource.singular)],
    ['scope', quoted(resource.scope)],
    ['verbs', verbsText(context)],
  ];
  if (resource.shortNames.length > 0) facts.push(['shortNames', stringArray(resource.shortNames)]);
  if (resource.categories.length > 0) facts.push(['categories', stringArray(resource.categories)]);
  if (resource.subresources.length > 0) facts.push(['subresources', subresourcesText(resource.subresources)]);
  const bodies = bodyKinds(context);
  if (bodies.length > 0) facts.push(['bodies', bodiesText(bodies)]);
  if (resource.selectableFields.length > 0) {
    facts.push(['selectableFields', stringArray(resource.selectableFields)]);
  }
  if (resource.builtIn) facts.push(['builtIn', literal(true)]);
  if (context.loader !== undefined && hasCodec(context.output, groupVersion, resource)) {
    facts.push(['protobuf', context.loader]);
  }
  if (context.schemas !== undefined && hasSchema(context.output, groupVersion, resource)) {
    facts.push(['schema', context.schemas]);
  }
  return facts;
}

function verbsText({ resource, module }: ResourceContext): string {
  return isCrud(resource) ? module.runtimeValue('crud') : stringArray(resource.verbs);
}

function bodiesText(bodies: readonly BodyKind[]): string {
  const entries = bodies.map(
    ({ subresource, apiVersion, kind }) =>
      `${objectKey(subresource)}: { apiVersion: ${quoted(apiVersion)}, kind: ${quoted(kind)} }`,
  );
  return braced(entries);
}

const lineWidth = 90;

function subresourcesText(subresources: readonly Subresource[]): string {
  const entries = subresources.map(({ name, verbs }) => `${objectKey(name)}: ${stringArray(verbs)}`);
  return braced(entries);
}

/** Returns an object literal, indented by two levels. */
function braced(entries: readonly string[]): string {
  const line = `{ ${entries.join(', ')} }`;
  return line.length <= lineWidth ? line : `{\n${entries.map((entry) => `    ${entry},\n`).join('')}  }`;
}

export function watchHelper(context: ResourceContext): Constant {
  const { resource, module } = context;
  const scoped = resource.scope === 'Namespaced' ? 'NamespacedWatchHelper' : 'ClusterWatchHelper';
  const { names } = resource;
  const watch = `/* @__PURE__ */ ${module.runtimeValue('watchResource')}`;
  return {
    docs: sentence(
      `Watches ${kindPlural(names)}: \`for await (const event of ${names.watch}(rest))\`.`,
      context,
    ),
    name: names.watch,
    type: `${module.runtimeType(scoped)}<${names.type}${fieldsArgument(resource)}>`,
    value: `${watch}(${names.constant})`,
    typedValue: `${watch}<${names.type}, ${names.list}, ${names.client}, ${fieldType(resource)}>(${names.constant})`,
  };
}
