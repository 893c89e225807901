/** References from `paths.ts` to the types of the other files. */

import { capitalise } from '../common/words.ts';
import type { Scope } from '../emit/clients/scope.ts';
import type { EmitOptions } from '../emit/options.ts';
import { Module } from '../emit/text/module.ts';
import { extension, folder, runtimeSpecifier } from '../emit/text/paths.ts';
import { typeText } from '../emit/text/schema-text.ts';
import type { Model, Schema } from '../model/ir.ts';

/** `paths.ts` while it is being filled, with its types. */
export interface References {
  readonly module: Module;
  /** Returns the type of a schema as an expression, and adds the imports that it needs. */
  readonly typeText: (schema: Schema) => string;
}

/**
 * Returns references from the root of the output folder. A definition without a file in the model is
 * `unknown`.
 */
export function referencesTo(model: Model, options: EmitOptions): References {
  const module = new Module(runtimeSpecifier(options, 0), ['paths', 'components']);
  const homes = new Map(model.groupVersions.map((one) => [folder(one), one.accessor]));
  const refer: Scope['refer'] = ({ name, from }) => {
    const where = from === undefined ? '' : folder(from);
    const accessor = homes.get(where);
    if (accessor === undefined) return 'unknown';
    return module.type(`./${where}/types${extension(options)}`, name, capitalise(accessor) + name);
  };
  // Only `refer` is used, because the root is not the folder of any group version.
  const scope: Scope = { module, refer, own: (name) => name };
  return { module, typeText: (schema) => typeText(schema, scope) };
}
