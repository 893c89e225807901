/** Paths in the output folder. They are relative and use `/`. */
import type { GroupVersion } from '../../model/ir.ts';
import type { EmitOptions } from '../options.ts';

/**
 * Names that are reserved in the output folder: its own files, the core group, and device names of some
 * operating systems.
 */
const reserved =
  /^(?:core|json-schema)$|^(?:index|clientset|informers|catalog|paths)\.|^protobuf\.(?:[jt]s|d\.ts)$|^(?:package|kgen\.lock)\.json$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/**
 * Returns the folder of a group version: the full group, then the version. Both have been validated as DNS
 * names.
 */
export function folder(groupVersion: Pick<GroupVersion, 'group' | 'version'>): string {
  const { group, version } = groupVersion;
  return `${groupFolder(group)}/${version}`;
}

/** Returns the folder of a group. */
export function groupFolder(group: string): string {
  if (group === '') return 'core';
  // A DNS name cannot start with an underscore, so the folder cannot collide with another group.
  return `${reserved.test(group) ? '_' : ''}${group}`;
}

/** Returns the extension of a sibling module in an import. */
export function extension(options: EmitOptions): string {
  return options.emit === 'js' ? '.js' : options.importExtension;
}

/**
 * Returns the specifier of `@kgen/runtime/gen/v1` for a module that is `depth` folders below the output
 * folder.
 */
export function runtimeSpecifier(options: EmitOptions, depth: number): string {
  const { runtimeImport } = options;
  if (!runtimeImport.startsWith('.') || depth === 0) return runtimeImport;
  return `${'../'.repeat(depth)}${runtimeImport.replace(/^\.\//, '')}`;
}

/** Returns the specifier of the runtime's codec module: `protobuf` below the other specifier. */
export function protobufSpecifier(options: EmitOptions, depth: number): string {
  return specifierBelow(runtimeSpecifier(options, depth), 'protobuf');
}

/** Returns the specifier of a module below that of the runtime, with the same file extension, if any. */
export function specifierBelow(door: string, name: 'protobuf' | 'streams'): string {
  const ending = packageName.test(door) ? '' : (/\.[cm]?[jt]s$/.exec(door)?.[0] ?? '');
  return `${door.slice(0, door.length - ending.length)}/${name}${ending}`;
}

/** Matches a package specifier without a subpath, which may end like a file name. */
const packageName = /^(?:@[^/]+\/)?[^./#][^/]*$/;
