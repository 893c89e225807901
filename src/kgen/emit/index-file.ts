/** `index.ts` of a group version: the one module of it that exists at run time. */
import type { GroupVersion } from '../model/ir.ts';
import { comment } from './docs.ts';
import { quoted } from './literals.ts';
import { Module } from './module.ts';
import type { EmitOptions } from './options.ts';
import { extension, runtimeSpecifier } from './paths.ts';
import {
  accessorText,
  declareResource,
  informerAccessorText,
  type ResourceContext,
} from './resource-text.ts';
import { typeNames } from './types-file.ts';

export function groupVersionModule(groupVersion: GroupVersion, options: EmitOptions): Module {
  const { apiVersion, names } = groupVersion;
  const module = new Module(runtimeSpecifier(options, 2), exportedNames(groupVersion));
  const types = `./types${extension(options)}`;
  importTypes(module, groupVersion, types);
  module.declare(`export type * from ${quoted(types)};\n`);
  const contexts = groupVersion.resources.map(
    (resource): ResourceContext => ({ groupVersion, resource, module, options }),
  );
  for (const context of contexts) declareResource(context);
  const declare = (docs: string, name: string, members: readonly string[]): void =>
    module.declare(`${comment([docs], [], '')}export interface ${name} {\n${members.join('')}}\n`);
  declare(`The clients of \`${apiVersion}\`.`, names.clients, contexts.map(accessorText));
  if (options.informers) {
    const members = contexts.map(informerAccessorText);
    declare(`The shared informers of \`${apiVersion}\`.`, names.informers, members);
  }
  return module;
}

/** Names that the module declares or passes on. */
function exportedNames(groupVersion: GroupVersion): readonly string[] {
  const { clients, informers } = groupVersion.names;
  const ofResources = groupVersion.resources.flatMap(({ names }) => {
    const { constant, client, lister, informer, event, watch } = names;
    return [constant, client, lister, informer, event, watch];
  });
  return [...typeNames(groupVersion), clients, informers, ...ofResources];
}

/** Objects and lists keep their names here: the module passes them on under the same ones. */
function importTypes(module: Module, groupVersion: GroupVersion, from: string): void {
  for (const { names } of groupVersion.resources) {
    module.own(from, names.type);
    module.own(from, names.list);
  }
}
