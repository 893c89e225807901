/** Where things stand in the output folder. Paths are relative, with `/`. */
import type { GroupVersion } from '../model/ir.ts';
import type { EmitOptions } from './options.ts';

/**
 * Names that the output folder keeps for files of its own and for the group without a name, and names that some systems
 * keep for devices.
 */
const reserved =
  /^core$|^(?:index|clientset|informers|catalog|paths)\.|^protobuf\.(?:[jt]s|d\.ts)$|^(?:package|kgen\.lock)\.json$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** Folder of a group version: the whole group, then the version. Both were checked to be DNS names. */
export function folder(groupVersion: Pick<GroupVersion, 'group' | 'version'>): string {
  const { group, version } = groupVersion;
  if (group === '') return `core/${version}`;
  // No DNS name begins with an underscore, so nothing else can have this folder.
  return `${reserved.test(group) ? '_' : ''}${group}/${version}`;
}

/** What follows the name of a sibling module in an import. */
export function extension(options: EmitOptions): string {
  return options.emit === 'js' ? '.js' : options.importExtension;
}

/** The runtime's door, as a module `depth` folders below the output folder imports it. */
export function runtimeSpecifier(options: EmitOptions, depth: number): string {
  const { runtimeImport } = options;
  if (!runtimeImport.startsWith('.') || depth === 0) return runtimeImport;
  return `${'../'.repeat(depth)}${runtimeImport.replace(/^\.\//, '')}`;
}

/** The runtime's door for codecs: `protobuf` below the other one, with the ending that this has where it is a file. */
export function protobufSpecifier(options: EmitOptions, depth: number): string {
  const door = runtimeSpecifier(options, depth);
  const ending = packageName.test(door) ? '' : (/\.[cm]?[jt]s$/.exec(door)?.[0] ?? '');
  return `${door.slice(0, door.length - ending.length)}/protobuf${ending}`;
}

/** A package as a whole, whose name may end like that of a file. */
const packageName = /^(?:@[^/]+\/)?[^./#][^/]*$/;
