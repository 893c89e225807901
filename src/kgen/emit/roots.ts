/** The roots of an output: `clientset.ts`, `informers.ts`, `index.ts`. */
import type { GroupVersion, Model } from '../model/ir.ts';
import { comment } from './docs.ts';
import { capitalised, quoted } from './literals.ts';
import { Module } from './module.ts';
import { indexNames } from './names.ts';
import type { EmitOptions } from './options.ts';
import { extension, folder, runtimeSpecifier } from './paths.ts';
import type { RuntimeTypeName } from './symbols.ts';

/** Types of the runtime that users of any output need. */
const passedOn: readonly RuntimeTypeName[] = [
  'ClusterMeta',
  'Condition',
  'LabelSelector',
  'ListMeta',
  'ObjectMeta',
  'Scale',
  'Status',
];

/** The module that holds `Clientset`. */
export function clientsetModule(model: Model, options: EmitOptions): Module {
  const module = new Module(runtimeSpecifier(options, 0), ['Clientset']);
  const base = module.runtimeValue('ClientsetBase');
  const group = module.runtimeValue('groupClient');
  module.class({
    docs: comment(
      ['A client for every group version of this output, all over one set of connections.'],
      [],
      '',
    ),
    name: 'Clientset',
    base,
    parameters: [
      { name: 'connection', type: module.runtimeType('Connection'), optional: false },
      { name: 'options', type: module.runtimeType('RESTClientOptions'), optional: true },
    ],
    fields: model.groupVersions.map((groupVersion) => ({
      docs: title(groupVersion),
      name: groupVersion.accessor,
      type: module.type(specifier(groupVersion, options), indexNames(groupVersion).clients),
      value: `${group}(this.rest, ${constants(groupVersion, module, options)})`,
    })),
  });
  return module;
}

/** The module that holds `InformerFactory`. */
export function informersModule(model: Model, options: EmitOptions): Module {
  const module = new Module(runtimeSpecifier(options, 0), ['InformerFactory']);
  const base = module.runtimeValue('InformerFactoryBase');
  const group = module.runtimeValue('groupInformers');
  module.class({
    docs: comment(
      ['A shared informer for every resource of this output, made when it is first asked for.'],
      [],
      '',
    ),
    name: 'InformerFactory',
    base,
    parameters: [
      { name: 'source', type: module.runtimeType('InformerSource'), optional: false },
      { name: 'options', type: module.runtimeType('InformerFactoryOptions'), optional: true },
    ],
    fields: model.groupVersions.map((groupVersion) => ({
      docs: title(groupVersion),
      name: groupVersion.accessor,
      type: module.type(specifier(groupVersion, options), indexNames(groupVersion).informers),
      value: `${group}(this, ${constants(groupVersion, module, options)})`,
    })),
  });
  return module;
}

/** The output's front door. Group versions are types here, so that importing it loads nothing more than the clientset. */
export function rootModule(model: Model, options: EmitOptions): Module {
  const module = new Module(runtimeSpecifier(options, 0), []);
  const end = extension(options);
  module.statement(`export { Clientset } from ${quoted(`./clientset${end}`)};\n`);
  if (options.informers) {
    module.statement(`export { InformerFactory } from ${quoted(`./informers${end}`)};\n`);
  }
  const namespaces = model.groupVersions.map(
    (groupVersion) =>
      `export type * as ${groupVersion.accessor} from ${quoted(specifier(groupVersion, options))};\n`,
  );
  module.declare(namespaces.join(''));
  module.declare(
    `export type {\n${passedOn.map((name) => `  ${name},\n`).join('')}} from ${quoted(runtimeSpecifier(options, 0))};\n`,
  );
  return module;
}

function title({ group, version }: GroupVersion): string {
  return comment([`\`${group === '' ? version : `${group}/${version}`}\``], [], '  ');
}

function specifier(groupVersion: GroupVersion, options: EmitOptions): string {
  return `./${folder(groupVersion)}/index${extension(options)}`;
}

/** The descriptors of a group version by accessor, as an object literal. */
function constants(groupVersion: GroupVersion, module: Module, options: EmitOptions): string {
  const from = specifier(groupVersion, options);
  const entries = groupVersion.resources.map(({ names }) => {
    const alias = `${groupVersion.accessor}${capitalised(names.constant)}`;
    const local = module.value(from, names.constant, alias);
    return local === names.accessor ? local : `${names.accessor}: ${local}`;
  });
  const line = `{ ${entries.join(', ')} }`;
  return line.length <= 70 ? line : `{\n${entries.map((entry) => `      ${entry},\n`).join('')}    }`;
}
