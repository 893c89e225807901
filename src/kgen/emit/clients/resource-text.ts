/**
 * Code that is generated for one resource: client interface, lister, informer, events, descriptors, watch
 * helper.
 */

import { lineWidth } from '../text/break-lines.ts';
import { comment } from '../text/docs.ts';
import { methodName } from '../text/literals.ts';
import { acrossNamespaces, capabilities, fieldDeclaration, fieldType, isWatchable } from './capabilities.ts';
import { descriptor, watchHelper } from './descriptor.ts';
import { columnsText, kindPlural, nick, path, sentence, tags } from './resource-docs.ts';
import type { ResourceContext } from './scope.ts';
import { connectConstants, subresourceBases } from './subresources.ts';

/** Adds all declarations of a resource to the module. */
export function declareResource(context: ResourceContext): void {
  const { module, resource } = context;
  const isWatched = isWatchable(resource);
  module.declare(clientText(context));
  const fields = fieldDeclaration(resource);
  if (fields !== '') module.declare(fields);
  if (isWatched) declareCache(context);
  module.constant(descriptor(context));
  if (isWatched) module.constant(watchHelper(context));
  for (const constant of connectConstants(context)) module.constant(constant);
}

/** Declares lister and informer of a resource that supports list and watch. */
function declareCache(context: ResourceContext): void {
  const { module, resource } = context;
  const { options } = context.output;
  const { names } = resource;
  const plural = kindPlural(names);
  if (options.informers && options.listers) {
    module.declare(
      `${sentence(`Lister of ${plural}, backed by the cache of an informer.`)}export type ${names.lister} = ${listerType(context)};\n`,
    );
  }
  if (options.informers) {
    const text = `${module.runtimeType('Informer')}<${names.type}, ${options.listers ? names.lister : listerType(context)}>`;
    module.declare(
      `${sentence(`Informer of ${plural}: a local cache that follows the server.`)}export type ${names.informer} = ${text};\n`,
    );
  }
  const event = `${module.runtimeType('WatchEvent')}<${names.type}>`;
  module.declare(`${sentence(`Event of a watch on ${plural}.`)}export type ${names.event} = ${event};\n`);
}

/** Returns the type of the resource's accessor in the client of its group version. */
export function accessorText(context: ResourceContext): string {
  const { resource } = context;
  const { names } = resource;
  const plural = kindPlural(names);
  const method = (docs: string, parameters: string, type: string): string =>
    `${comment([docs], tags(context), '  ')}  ${methodName(names.accessor)}(${parameters}): ${type};\n`;
  if (resource.scope === 'Cluster') {
    return method(`${plural} of the cluster${nick(resource)}.`, '', names.client);
  }
  const one = method(`${plural} in one namespace${nick(resource)}.`, 'namespace: string', names.client);
  const across = acrossNamespaces(context);
  if (across === undefined) return one;
  const verbs = (['list', 'watch'] as const).filter((verb) => resource.verbs.includes(verb));
  return `${one}${method(`${plural} in all namespaces: ${verbs.join(' and ')} only.`, '', across)}`;
}

/** Returns the type of the accessor of a resource's informer. */
export function informerAccessorText(context: ResourceContext): string {
  const { module, resource } = context;
  const plural = kindPlural(resource.names);
  const method = (about: string, signature: string): string =>
    `${comment([about], tags(context), '  ')}  ${methodName(resource.names.accessor)}${signature};\n`;
  const { informer, type } = resource.names;
  const isNamespaced = resource.scope === 'Namespaced';
  const field = fieldType(resource);
  const options = `${module.runtimeType(isNamespaced ? 'InformerOptions' : 'ClusterInformerOptions')}<${type}, ${field}>`;
  // The parameter must not hide the type of the objects.
  const select = type === 'S' ? 'Select' : 'S';
  const parameter = `<const ${select} extends ${module.runtimeType('FieldSelection')}<${type}>>`;
  const selected = module.runtimeType(isNamespaced ? 'SelectedOptions' : 'ClusterSelectedOptions');
  const result = module.runtimeType(isNamespaced ? 'SelectedInformer' : 'ClusterSelectedInformer');
  // A compiler fixes the parameters of a transform by the first signature to which all other options apply.
  return [
    method(
      `Shared informer of ${plural} with the fields of \`select\` only.`,
      `${parameter}(\n    options: ${selected}<${type}, ${select}, ${field}>,\n  ): ${result}<${type}, ${select}>`,
    ),
    method(`Shared informer of ${plural}.`, `(options?: ${options}): ${informer}`),
  ].join('');
}

function clientText(context: ResourceContext): string {
  const { resource, output } = context;
  const scope = resource.scope === 'Namespaced' ? 'in one namespace' : 'of the cluster';
  const paragraphs = [
    `Client of ${kindPlural(resource.names)} ${scope}: \`${path(context)}\`${nick(resource)}.`,
    ...(output.options.docs === 'full' ? columnsText(resource) : []),
  ];
  const bases = [...capabilities(context), ...subresourceBases(context)];
  const head = `export interface ${resource.names.client}`;
  const line = bases.length === 0 ? `${head} {}\n` : `${head} extends ${bases.join(', ')} {}\n`;
  return `${comment(paragraphs, tags(context), '')}${
    line.length <= lineWidth + 1 ? line : `${head}\n  extends ${bases.join(',\n    ')} {}\n`
  }`;
}

function listerType({ resource, module }: ResourceContext): string {
  const name = resource.scope === 'Namespaced' ? 'NamespacedLister' : 'ClusterLister';
  return `${module.runtimeType(name)}<${resource.names.type}>`;
}
