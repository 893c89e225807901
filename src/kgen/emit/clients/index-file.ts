/** `index.ts` of a group version: its only module with code. */
import type { GroupVersion } from '../../model/ir.ts';
import type { EmitOptions } from '../options.ts';
import { comment } from '../text/docs.ts';
import { quoted } from '../text/literals.ts';
import { Module } from '../text/module.ts';
import { extension, runtimeSpecifier } from '../text/paths.ts';
import { typeNames } from '../types-file.ts';
import { isWatchable } from './capabilities.ts';
import { accessorText, declareResource, informerAccessorText } from './resource-text.ts';
import { hasCodec, hasSchema, type Output, type ResourceContext, scopeOf } from './scope.ts';

export function groupVersionModule(groupVersion: GroupVersion, output: Output): Module {
  const { options } = output;
  const module = new Module(runtimeSpecifier(options, 2), exportedNames(groupVersion));
  const types = `./types${extension(options)}`;
  // Types keep their names here because the module re-exports them under the same names.
  const own = (name: string): string => module.own(types, name);
  const scope = scopeOf(module, groupVersion, output, own);
  importTypes(groupVersion, own);
  module.declare(`export type * from ${quoted(types)};\n`);
  if (groupVersion.resources.length === 0) module.keep();
  const isEncoded = groupVersion.resources.some((resource) => hasCodec(output, groupVersion, resource));
  const loader = isEncoded ? declareLoader(module, options) : undefined;
  const isDescribed = groupVersion.resources.some((resource) => hasSchema(output, groupVersion, resource));
  const schemas = isDescribed ? declareSchemas(module, options) : undefined;
  const contexts = groupVersion.resources.map((resource) => ({
    ...scope,
    groupVersion,
    resource,
    output,
    loader,
    schemas,
  }));
  for (const context of contexts) declareResource(context);
  declareAccessors(module, contexts, groupVersion);
  return module;
}

/**
 * Declares the function with which the descriptors load their codecs. Its type is explicit, so that no other
 * declaration depends on the type of the codecs.
 */
function declareLoader(module: Module, options: EmitOptions): string {
  const name = module.local('protobuf');
  const docs = comment(['Loads the protobuf codecs of these resources.'], [], '');
  const value = `() => import(${quoted(`./protobuf${extension(options)}`)});\n`;
  module.add({
    ts: `${docs}const ${name}: ${module.runtimeType('LoadProtobuf')} = ${value}`,
    dts: '',
    js: `const ${name} = ${value}`,
  });
  return name;
}

/** Declares the function with which the descriptors load their schemas. */
function declareSchemas(module: Module, options: EmitOptions): string {
  const name = module.local('schema');
  const docs = comment(['Loads the schemas of these resources.'], [], '');
  const value = `() => import(${quoted(`./schemas${extension(options)}`)}).then((module) => module.schemas);\n`;
  module.add({
    ts: `${docs}const ${name}: ${module.runtimeType('LoadSchemas')} = ${value}`,
    dts: '',
    js: `const ${name} = ${value}`,
  });
  return name;
}

/** Declares the interfaces of clients and informers, if the group version has any. */
function declareAccessors(
  module: Module,
  contexts: readonly ResourceContext[],
  { apiVersion, names }: GroupVersion,
): void {
  const declare = (docs: string, name: string, members: readonly string[]): void => {
    if (members.length === 0) return;
    module.declare(`${comment([docs], [], '')}export interface ${name} {\n${members.join('')}}\n`);
  };
  declare(`Clients of \`${apiVersion}\`.`, names.clients, contexts.map(accessorText));
  const cached = contexts.filter(({ resource, output }) => output.options.informers && isWatchable(resource));
  const docs = `Shared informers of \`${apiVersion}\`.`;
  declare(docs, names.informers, cached.map(informerAccessorText));
}

/** Returns every name that the module may declare or re-export. */
function exportedNames(groupVersion: GroupVersion): readonly string[] {
  const { clients, informers } = groupVersion.names;
  const ofResources = groupVersion.resources.flatMap(({ names, subresources }) => {
    const { constant, client, lister, informer, event, field, watch } = names;
    const connects = subresources.flatMap(({ body }) =>
      body.is === 'connect' ? [body.connect.constant] : [],
    );
    return [constant, client, lister, informer, event, field, watch, ...connects];
  });
  return [...typeNames(groupVersion), clients, informers, ...ofResources];
}

function importTypes({ resources }: GroupVersion, own: (name: string) => string): void {
  for (const { names, verbs } of resources) {
    own(names.type);
    if (verbs.includes('list')) own(names.list);
  }
}
