/** References that a module of a group version may use, and their local names. */

import { capitalise } from '../../common/words.ts';
import type { GroupVersion, GroupVersionName, Model, Resource, Schema } from '../../model/ir.ts';
import type { EmitOptions } from '../options.ts';
import { describedKinds } from '../schemas-file.ts';
import type { Module } from '../text/module.ts';
import { extension, folder } from '../text/paths.ts';

/** A reference to a type that a group version exports. */
export type Ref = Extract<Schema, { readonly shape: 'ref' }>;

/** A module that is being filled. */
export interface Scope {
  readonly module: Module;
  /** Returns the local name of a type and adds its import to `module`. */
  readonly refer: (ref: Ref) => string;
  /** Returns the local name of a type of the module's own group version. */
  readonly own: (name: string) => string;
}

/** Decisions that hold for a whole output. */
export interface Output {
  readonly options: EmitOptions;
  /** All group versions by folder. */
  readonly folders: ReadonlyMap<string, GroupVersion>;
  /** Resources whose kind has a codec, such as `apps/v1/Deployment`. */
  readonly encoded: ReadonlySet<string>;
  /** Resources whose kind has a schema, in the same form. */
  readonly described: ReadonlySet<string>;
}

/** Returns the decisions from which every file of an output is printed. */
export function outputOf(model: Model, options: EmitOptions, encoded: ReadonlySet<string>): Output {
  return {
    options,
    folders: new Map(model.groupVersions.map((one) => [folder(one), one])),
    encoded,
    described: options.schemas ? describedKinds(model) : new Set(),
  };
}

/** Returns the scope of a module in the folder of `home`. */
export function scopeOf(
  module: Module,
  home: GroupVersionName,
  output: Output,
  own: (name: string) => string,
): Scope {
  const homeFolder = folder(home);
  const refer = ({ name, from }: Ref): string => {
    const where = from === undefined ? homeFolder : folder(from);
    if (where === homeFolder) return own(name);
    const specifier = `../../${where}/types${extension(output.options)}`;
    return module.type(specifier, name, `${capitalise(output.folders.get(where)?.accessor ?? '')}${name}`);
  };
  return { module, refer, own };
}

/**
 * Returns whether the kind of a resource has a codec. Custom resources have none, even if a built-in kind has
 * the same name.
 */
export function hasCodec(
  { encoded }: Output,
  { apiVersion }: GroupVersion,
  { kind, builtIn }: Pick<Resource, 'kind' | 'builtIn'>,
): boolean {
  return builtIn && encoded.has(`${apiVersion}/${kind}`);
}

/** Returns whether the kind of a resource has a schema. */
export function hasSchema(
  { described }: Output,
  { apiVersion }: GroupVersion,
  { kind }: Pick<Resource, 'kind'>,
): boolean {
  return described.has(`${apiVersion}/${kind}`);
}

/** A resource that is being printed into the module of its group version. */
export interface ResourceContext extends Scope {
  readonly groupVersion: GroupVersion;
  readonly resource: Resource;
  readonly output: Output;
  /** Name of the module's constant that loads the codecs of its kinds; `undefined` if no kind has one. */
  readonly loader: string | undefined;
  /** Name of the module's constant that loads the schemas of its kinds; `undefined` if no kind has one. */
  readonly schemas: string | undefined;
}
