/** The codec files of an output. */
import type { CodecPlan } from '../../protobuf/types.ts';
import type { EmitOptions } from '../options.ts';
import type { Module } from '../text/module.ts';
import { protobufModule } from './protobuf-file.ts';
import { protobufRootModule } from './protobuf-root.ts';

/**
 * Returns the codec modules by path without extension: one for each folder with codecs, and one for the root.
 * Returns an empty map if no kind has a codec.
 */
export function protobufModules(plan: CodecPlan, options: EmitOptions): ReadonlyMap<string, Module> {
  if (plan.homes.length === 0) return new Map();
  const modules = plan.homes.map(
    (home) => [`${home.home}/protobuf`, protobufModule(home, plan, options)] as const,
  );
  return new Map([...modules, ['protobuf', protobufRootModule(plan, options)]]);
}
