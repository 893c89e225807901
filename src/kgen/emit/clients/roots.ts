/** Root modules of an output: `clientset.ts`, `informers.ts`, `index.ts`. */

import { capitalise } from '../../common/words.ts';
import type { GroupVersion, GroupVersionNames, Model, Resource } from '../../model/ir.ts';
import type { EmitOptions } from '../options.ts';
import { comment } from '../text/docs.ts';
import { quoted } from '../text/literals.ts';
import { type Class, Module } from '../text/module.ts';
import { extension, folder, runtimeSpecifier } from '../text/paths.ts';
import type { RuntimeTypeName, RuntimeValue } from '../text/symbols.ts';
import { isWatchable } from './capabilities.ts';

/** Types of the runtime that users of every output need. */
const passedOn: readonly RuntimeTypeName[] = [
  'ClusterMeta',
  'Condition',
  'LabelSelector',
  'ListMeta',
  'ObjectMeta',
  'Scale',
  'Status',
];

/**
 * A class with a field for each group version: the parts in which `Clientset` and `InformerFactory` differ.
 */
interface Root {
  readonly name: string;
  readonly docs: string;
  readonly base: RuntimeValue;
  readonly parameters: Class['parameters'];
  readonly overloads: NonNullable<Class['overloads']>;
  /** The name of the field's type, among the names of the group version. */
  readonly type: keyof GroupVersionNames;
  /** Returns the resources of a field. A group version without any has no field. */
  readonly resources: (groupVersion: GroupVersion) => readonly Resource[];
  /** The function that creates the value of a field. */
  readonly make: RuntimeValue;
  /** The expression that is passed to `make`. */
  readonly from: string;
}

/** Returns the module that declares `Clientset`. */
export function clientsetModule(model: Model, options: EmitOptions): Module {
  const module = new Module(runtimeSpecifier(options, 0), ['Clientset']);
  const connection = { name: 'connection', type: module.runtimeType('ClientConnection'), optional: false };
  const config = { name: 'config', type: module.runtimeType('ClusterConfig'), optional: false };
  const own = { name: 'options', type: module.runtimeType('RESTClientOptions'), optional: true };
  return declareRoot(module, model, options, {
    name: 'Clientset',
    docs: 'A client for each group version of this output. All share one set of connections.',
    base: 'ClientsetBase',
    parameters: [connection, own],
    overloads: [
      {
        docs: comment(['Creates a clientset with connections of its own, which `close()` closes.'], [], '  '),
        parameters: [config, own],
      },
      {
        docs: comment(
          ['Creates a clientset over the connections of a REST client, a clientset or a manager.'],
          [],
          '  ',
        ),
        parameters: [connection],
      },
    ],
    type: 'clients',
    resources: ({ resources }) => resources,
    make: 'groupClient',
    from: 'this.rest',
  });
}

/** Returns the module that declares `InformerFactory`. */
export function informersModule(model: Model, options: EmitOptions): Module {
  const module = new Module(runtimeSpecifier(options, 0), ['InformerFactory']);
  const source = { name: 'source', type: module.runtimeType('InformerSource'), optional: false };
  const own = { name: 'options', type: module.runtimeType('InformerFactoryOptions'), optional: true };
  return declareRoot(module, model, options, {
    name: 'InformerFactory',
    docs: 'A shared informer for each resource of this output, created on first use.',
    base: 'InformerFactoryBase',
    parameters: [source, own],
    overloads: [
      {
        docs: comment(['Creates informers of a server.'], [], '  '),
        parameters: [
          { name: 'connection', type: module.runtimeType('ClientConnection'), optional: false },
          own,
        ],
      },
      {
        docs: comment(['Creates a factory that shares the informers of another one.'], [], '  '),
        parameters: [
          source,
          { name: 'options', type: module.runtimeType('InformerOptions'), optional: true },
        ],
      },
    ],
    type: 'informers',
    resources: ({ resources }) => resources.filter(isWatchable),
    make: 'groupInformers',
    from: 'this',
  });
}

function declareRoot(module: Module, model: Model, options: EmitOptions, root: Root): Module {
  const { name, docs, parameters, overloads, type, from } = root;
  const base = module.runtimeValue(root.base);
  const used = model.groupVersions.filter((groupVersion) => root.resources(groupVersion).length > 0);
  const fields = used.map((groupVersion) => ({
    docs: comment([`\`${groupVersion.apiVersion}\``], [], '  '),
    name: groupVersion.accessor,
    type: clientType(groupVersion, type, module, options),
    value: `${module.runtimeValue(root.make)}(${from}, ${constants(groupVersion, root, module, options)})`,
  }));
  module.class({ docs: comment([docs], [], ''), name, base, parameters, overloads, fields });
  return module;
}

/**
 * Returns the output's `index.ts`. It exports group versions as types only, so that importing it loads only
 * the clientset.
 */
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
  module.passOn(passedOn, runtimeSpecifier(options, 0));
  return module;
}

function clientType(
  groupVersion: GroupVersion,
  part: keyof GroupVersionNames,
  module: Module,
  options: EmitOptions,
): string {
  const name = groupVersion.names[part];
  return module.type(specifier(groupVersion, options), name, `${capitalise(groupVersion.accessor)}${name}`);
}

function specifier(groupVersion: GroupVersion, options: EmitOptions): string {
  return `./${folder(groupVersion)}/index${extension(options)}`;
}

/** Returns an object literal with the descriptors of a group version by accessor. */
function constants(groupVersion: GroupVersion, root: Root, module: Module, options: EmitOptions): string {
  const from = specifier(groupVersion, options);
  const entries = root.resources(groupVersion).map(({ names }) => {
    const alias = `${groupVersion.accessor}${capitalise(names.constant)}`;
    const local = module.value(from, names.constant, alias);
    return local === names.accessor ? local : `${names.accessor}: ${local}`;
  });
  const line = `{ ${entries.join(', ')} }`;
  return line.length <= 70 ? line : `{\n${entries.map((entry) => `      ${entry},\n`).join('')}    }`;
}
