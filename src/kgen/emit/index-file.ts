/** `index.ts` of a group version: the one module of it that exists at run time. */
import type { GroupVersion } from '../model/ir.ts';
import { comment } from './docs.ts';
import { quoted } from './literals.ts';
import { Module } from './module.ts';
import { indexNames } from './names.ts';
import type { EmitOptions } from './options.ts';
import { extension, runtimeSpecifier } from './paths.ts';
import {
  accessorText,
  declareResource,
  informerAccessorText,
  type ResourceContext,
} from './resource-text.ts';

export function groupVersionModule(groupVersion: GroupVersion, options: EmitOptions): Module {
  const names = indexNames(groupVersion);
  const module = new Module(runtimeSpecifier(options, 2), names.all);
  const types = `./types${extension(options)}`;
  importTypes(module, groupVersion, types);
  module.declare(`export type * from ${quoted(types)};\n`);
  const contexts: ResourceContext[] = [];
  for (const resource of groupVersion.resources) {
    const helpers = names.helpers.get(resource);
    if (helpers !== undefined) contexts.push({ groupVersion, resource, helpers, module, options });
  }
  for (const context of contexts) declareResource(context);
  const title =
    groupVersion.group === '' ? groupVersion.version : `${groupVersion.group}/${groupVersion.version}`;
  module.declare(
    `${comment([`The clients of \`${title}\`.`], [], '')}export interface ${names.clients} {\n${contexts.map(accessorText).join('')}}\n`,
  );
  if (options.informers) {
    module.declare(
      `${comment([`The shared informers of \`${title}\`.`], [], '')}export interface ${names.informers} {\n${contexts.map(informerAccessorText).join('')}}\n`,
    );
  }
  return module;
}

/** Objects and lists keep their names here: the module passes them on under the same ones. */
function importTypes(module: Module, groupVersion: GroupVersion, from: string): void {
  for (const { names } of groupVersion.resources) {
    module.own(from, names.type);
    module.own(from, names.list);
  }
}
