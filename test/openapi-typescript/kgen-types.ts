/** Types that kgen generates, in memory. */
import { defaultEmitOptions } from '../../src/kgen/emit/options.ts';
import { folder } from '../../src/kgen/emit/text/paths.ts';
import { emit } from '../../src/kgen/emit/tree.ts';
import { buildModel } from '../../src/kgen/model/build.ts';
import type { ModelInput } from '../../src/kgen/model/plans.ts';
import type { Files } from '../support/emitted.ts';
import type { Types } from './compiler-results.ts';

/** An output, and the places of its types. */
export interface KgenTypes {
  readonly files: Files;
  /**
   * Types by full name of the definition, for a file beside the folder `out`. Definitions without a type of
   * their own are missing.
   */
  readonly types: Types;
}

/** Generates from a parsed input, clients and informers included. */
export function kgenTypesOf(input: ModelInput, out: string): KgenTypes {
  const built = buildModel(input);
  const files = emit(built.model, { ...defaultEmitOptions, version: '0.0.0', docs: 'none' });
  const types = new Map<string, string>();
  for (const [name, schema] of built.definitions) {
    if (schema.shape === 'runtime') types.set(name, `import('@kgen/runtime/gen/v1').${schema.name}`);
    if (schema.shape !== 'ref' || schema.from === undefined) continue;
    types.set(name, `import('./${out}/${folder(schema.from)}/types.js').${schema.name}`);
  }
  return { files, types };
}
