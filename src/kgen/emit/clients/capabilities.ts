/** Capability interfaces of the runtime that a generated client extends. */
import type { Resource, Verb } from '../../model/ir.ts';
import { lineWidth } from '../text/break-lines.ts';
import { comment } from '../text/docs.ts';
import { quoted, quotedUnion } from '../text/literals.ts';
import type { RuntimeTypeName } from '../text/symbols.ts';
import { kindPlural } from './resource-docs.ts';
import type { ResourceContext } from './scope.ts';

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

/** Returns whether `resource` supports every verb of the API. */
export function isCrud({ verbs }: Resource): boolean {
  return allVerbs.every((verb) => verbs.includes(verb));
}

/** Returns whether `resource` can be cached: it supports list and watch. */
export function isWatchable({ verbs }: Resource): boolean {
  return verbs.includes('list') && verbs.includes('watch');
}

/** Returns the name of the list type; `never` if the resource has no list verb. */
export function listType({ verbs, names }: Resource): string {
  return verbs.includes('list') ? names.list : 'never';
}

/** Returns, as a type, the fields besides name and namespace that field selectors accept. */
export function fieldType({ names, selectableFields }: Resource): string {
  return selectableFields.length === 0 ? 'never' : names.field;
}

/** Returns the declaration of the field type; `''` if the resource has no such fields. */
export function fieldDeclaration({ names, selectableFields }: Resource): string {
  if (selectableFields.length === 0) return '';
  const docs = comment(
    [`Fields of ${kindPlural(names)} that field selectors accept, besides name and namespace.`],
    [],
    '',
  );
  const line = `export type ${names.field} = ${quotedUnion(selectableFields)};\n`;
  if (line.length <= lineWidth + 1) return `${docs}${line}`;
  const members = selectableFields.map((field) => `\n  | ${quoted(field)}`).join('');
  return `${docs}export type ${names.field} =${members};\n`;
}

/**
 * Returns the last type argument of interfaces that take field selectors; `''` if there are no such fields.
 */
export function fieldsArgument(resource: Resource): string {
  return resource.selectableFields.length === 0 ? '' : `, ${fieldType(resource)}`;
}

/** Type arguments that the collection client and the namespaced client share. */
interface Arguments {
  readonly object: string;
  /** The list type, followed by the fields. */
  readonly listed: string;
  readonly fields: string;
}

/** Returns the interfaces for the verbs of a resource. */
export function capabilities(context: ResourceContext): readonly string[] {
  const { resource, module } = context;
  const { object, listed } = argumentsOf(resource);
  if (resource.stored && isCrud(resource)) {
    return [`${module.runtimeType(resource.builtIn ? 'Crud' : 'CustomCrud')}<${object}, ${listed}>`];
  }
  return [...readText(context), ...writeText(context), ...deleteText(context)];
}

function argumentsOf(resource: Resource): Arguments {
  const fields = fieldsArgument(resource);
  return { object: resource.names.type, listed: `${listType(resource)}${fields}`, fields };
}

/** Returns the interface of the client that spans all namespaces; `undefined` if it would be empty. */
export function acrossNamespaces(context: ResourceContext): string | undefined {
  const { resource, module } = context;
  const { object, listed } = argumentsOf(resource);
  if (resource.stored && isWatchable(resource)) {
    return `${module.runtimeType('AllNamespaces')}<${object}, ${listed}>`;
  }
  const texts = [...listText(context), ...watchText(context)];
  return texts.length === 0 ? undefined : texts.join(' & ');
}

function listText({ resource, module }: ResourceContext): readonly string[] {
  const { object, listed } = argumentsOf(resource);
  if (!resource.verbs.includes('list')) return [];
  return [`${module.runtimeType(resource.stored ? 'List' : 'ListVirtual')}<${object}, ${listed}>`];
}

function watchText({ resource, module }: ResourceContext): readonly string[] {
  const { object, fields } = argumentsOf(resource);
  return resource.verbs.includes('watch') ? [`${module.runtimeType('Watch')}<${object}${fields}>`] : [];
}

function readText(context: ResourceContext): readonly string[] {
  const { resource, module } = context;
  const { type } = resource.names;
  const reads = resource.verbs.includes('get')
    ? [`${module.runtimeType(resource.stored ? 'Get' : 'ReadVirtual')}<${type}>`]
    : [];
  const waits = canFollow(resource) ? [`${module.runtimeType('WaitFor')}<${type}>`] : [];
  return [...reads, ...listText(context), ...watchText(context), ...waits];
}

/** Returns whether a single object can be watched. */
function canFollow(resource: Resource): boolean {
  return resource.verbs.includes('get') && isWatchable(resource);
}

function writeText({ groupVersion, resource, module }: ResourceContext): readonly string[] {
  const { verbs, builtIn, names, kind } = resource;
  const requested: RuntimeTypeName[] = [];
  if (verbs.includes('create')) {
    const isSubmitted = groupVersion.group === '' && kind === 'Binding';
    const keeps = resource.stored && verbs.length > 1;
    requested.push(keeps ? 'Create' : isSubmitted ? 'CreateAction' : 'CreateOnly');
  }
  if (verbs.includes('update')) requested.push('Update');
  if (verbs.includes('patch')) requested.push(builtIn ? 'Patch' : 'CustomPatch', 'Apply');
  return requested.map((name) => `${module.runtimeType(name)}<${names.type}>`);
}

function deleteText({ resource, module }: ResourceContext): readonly string[] {
  const { object, listed } = argumentsOf(resource);
  const texts: string[] = [];
  if (resource.verbs.includes('delete')) {
    const all = `${module.runtimeType('Delete')}<${object}>`;
    // Without get or watch there is no way to wait for the end of a deletion.
    texts.push(canFollow(resource) ? all : `Pick<${all}, 'delete'>`);
  }
  if (resource.verbs.includes('deletecollection')) {
    texts.push(`${module.runtimeType('DeleteCollection')}<${listed}>`);
  }
  return texts;
}
