/** The types of the files beside `paths.ts`, and how it refers to them. */
import { Module } from '../emit/module.ts';
import type { EmitOptions } from '../emit/options.ts';
import { extension, folder, runtimeSpecifier } from '../emit/paths.ts';
import { typeText } from '../emit/schema-text.ts';
import type { Scope } from '../emit/scope.ts';
import type { Model, Schema } from '../model/ir.ts';
import { capitalise } from '../words.ts';

/** `paths.ts` while it is being filled, and types in it. */
export interface References {
  readonly module: Module;
  /** The type of a schema as an expression; what it needs is imported. */
  readonly typeText: (schema: Schema) => string;
}

/** References out of the root of the output folder. What the model has no file for is `unknown`. */
export function referencesTo(model: Model, options: EmitOptions): References {
  const module = new Module(runtimeSpecifier(options, 0), ['paths', 'components']);
  const homes = new Map(model.groupVersions.map((one) => [folder(one), one.accessor]));
  const refer: Scope['refer'] = ({ name, from }) => {
    const where = from === undefined ? '' : folder(from);
    const accessor = homes.get(where);
    if (accessor === undefined) return 'unknown';
    return module.type(`./${where}/types${extension(options)}`, name, capitalise(accessor) + name);
  };
  // Nothing but `refer` is asked for: no group version is at home here.
  const scope: Scope = { module, refer, own: (name) => name };
  return { module, typeText: (schema) => typeText(schema, scope) };
}
