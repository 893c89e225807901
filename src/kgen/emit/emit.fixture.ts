/** Small models for the tests of the emitter. */

import { capitalise } from '../common/words.ts';
import type {
  GroupVersion,
  Model,
  NamedType,
  Property,
  Resource,
  Schema,
  Shape,
  Subresource,
  Verb,
} from '../model/ir.ts';
import { defaultEmitOptions, type EmitOptions } from './options.ts';
import { emit } from './tree.ts';

export const everyVerb: readonly Verb[] = [
  'create',
  'get',
  'list',
  'watch',
  'update',
  'patch',
  'delete',
  'deletecollection',
];

export function schema(shape: Shape, facts: Partial<Schema['facts']> = {}): Schema {
  return { ...shape, nullable: false, facts: { keywords: {}, ...facts } };
}

export const text: Schema = schema({ shape: 'string' });

export function property(name: string, of: Schema, optional = true): Property {
  return { name, schema: of, required: !optional, optional, defaulted: false };
}

export function namedType(name: string, more: Partial<NamedType> = {}): NamedType {
  return {
    name,
    role: 'definition',
    path: name,
    properties: [],
    facts: { keywords: {} },
    aliases: [],
    ...more,
  };
}

/** Returns a resource of `kind`. Its plural is the kind followed by `s`. */
export function resource(kind: string, more: Partial<Resource> = {}): Resource {
  const accessor = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}s`;
  return {
    kind,
    listKind: `${kind}List`,
    plural: accessor.toLowerCase(),
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    scope: 'Namespaced',
    verbs: everyVerb,
    stored: true,
    subresources: [],
    names: {
      accessor,
      constant: accessor,
      type: kind,
      list: `${kind}List`,
      client: `${kind}Client`,
      lister: `${kind}Lister`,
      informer: `${kind}Informer`,
      event: `${kind}WatchEvent`,
      field: `${kind}SelectableField`,
      watch: `watch${capitalise(accessor)}`,
    },
    selectableFields: [],
    builtIn: true,
    printerColumns: [],
    ...more,
  };
}

export function subresource(name: string, verbs: readonly Verb[], body: Subresource['body']): Subresource {
  return { name, verbs, body };
}

export function groupVersion(group: string, version: string, more: Partial<GroupVersion> = {}): GroupVersion {
  const accessor = `${group === '' ? 'core' : (group.split('.')[0] ?? '')}${capitalise(version)}`;
  const name = capitalise(accessor);
  return {
    group,
    version,
    apiVersion: group === '' ? version : `${group}/${version}`,
    accessor,
    names: { clients: `${name}Client`, informers: `${name}Informers` },
    resources: [],
    types: [],
    runtimeTypes: [],
    crds: [],
    ...more,
  };
}

export function model(...groupVersions: readonly GroupVersion[]): Model {
  return { groupVersions, schemas: [] };
}

/** Returns the emitted files of a model, by path. */
export function printed(of: Model, options: Partial<EmitOptions> = {}): (path: string) => string {
  const files = emit(of, { ...defaultEmitOptions, version: '0', ...options });
  return (path) => files.get(path) ?? `there is no ${path} among ${[...files.keys()].join(', ')}`;
}

/** Returns one declaration on a single line: from `head` to the end of its block or line. */
export function declaration(of: string, head: string): string {
  const start = of.indexOf(head);
  if (start < 0) return `there is no ${head}`;
  const rest = of.slice(start);
  const end = /\n\n|\n$|$/.exec(rest)?.index ?? rest.length;
  return rest.slice(0, end).replaceAll(/\s+/g, ' ').trim();
}
