/** Resolves the imports of an output. */
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ts } from 'ts-morph';
import { has, lookUp, lookUpOutput, type Overlay, type Resolve, relative } from './overlay.ts';

const runtimePackage = /^@kgen\/runtime(?:\/|$)/;

/** Default import specifier of the runtime. */
const ownDoor = '@kgen/runtime/gen/v1';

/** Specifiers with which an output imports the runtime. Relative ones are relative to its folder. */
export interface Doors {
  readonly runtimeImport: string;
  readonly protobufImport: string;
}

/** A file of kgen, from which its own installation is resolved. */
const here = fileURLToPath(import.meta.url).replaceAll('\\', '/');

/** Returns the runtime in kgen's own installation, or `undefined`. */
export function ownRuntime(overlay: Overlay): string | undefined {
  const { compiler } = overlay;
  const options = {
    module: compiler.ModuleKind.NodeNext,
    moduleResolution: compiler.ModuleResolutionKind.NodeNext,
  };
  return find(overlay, ownDoor, options, compiler.ModuleKind.ESNext)?.resolvedFileName;
}

/**
 * Returns the module resolution for an output. `@kgen/runtime` is resolved from kgen's installation, a user's
 * module from the output folder and the disk, and siblings in the output only, because files of an earlier
 * run do not count. With `replace`, kgen's own runtime replaces the user's modules.
 */
export function resolver(overlay: Overlay, doors: Doors, replace: boolean): Resolve {
  const { compiler } = overlay;
  const own = new Map([
    [posix.normalize(doors.runtimeImport), ownDoor],
    [posix.normalize(doors.protobufImport), `${ownDoor}/protobuf`],
    [
      posix.normalize(doors.protobufImport.replace(/protobuf(\.[cm]?[jt]s)?$/, 'streams$1')),
      `${ownDoor}/streams`,
    ],
  ]);
  const outputOnly = lookUpOutput(overlay);
  const everything = lookUp(overlay);
  const resolveOne = (
    name: string,
    from: string,
    options: ts.CompilerOptions,
    mode: ts.ResolutionMode,
  ): ts.ResolvedModuleFull | undefined => {
    const isRelative = name.startsWith('.');
    const meant = isRelative ? posix.join(posix.dirname(relative(overlay, from)), name) : name;
    const door = own.get(meant);
    if (door !== undefined && replace) return find(overlay, door, options, mode);
    if (runtimePackage.test(name)) return find(overlay, name, options, mode);
    const host = isRelative && door === undefined ? outputOnly : everything;
    return compiler.resolveModuleName(name, from, options, host, undefined, undefined, mode).resolvedModule;
  };
  return (literals, from, _redirected, options, file) =>
    literals.map((literal) => {
      const mode = compiler.getModeForUsageLocation(file, literal, options);
      if (has(overlay, from)) return { resolvedModule: resolveOne(literal.text, from, options, mode) };
      const found = compiler.resolveModuleName(
        literal.text,
        from,
        options,
        everything,
        undefined,
        undefined,
        mode,
      );
      if (found.resolvedModule !== undefined || !runtimePackage.test(literal.text)) return found;
      return { resolvedModule: find(overlay, literal.text, options, mode) };
    });
}

function find(
  overlay: Overlay,
  name: string,
  options: ts.CompilerOptions,
  mode: ts.ResolutionMode,
): ts.ResolvedModuleFull | undefined {
  const host = lookUp(overlay);
  return overlay.compiler.resolveModuleName(name, here, options, host, undefined, undefined, mode)
    .resolvedModule;
}
