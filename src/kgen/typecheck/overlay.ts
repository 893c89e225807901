/** A read-only compiler host that overlays the files of an output on the disk. */
import type { ts } from 'ts-morph';

/** An output in memory. */
export interface Overlay {
  readonly compiler: typeof ts;
  /** Absolute path of the output folder, with `/` and without a trailing one. */
  readonly folder: string;
  /** File contents by path relative to the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Returns the content of one of the compiler's own libraries. */
  readonly readLibrary: (path: string) => string | undefined;
}

/** Virtual folder in which the compiler finds its libraries. It does not exist on any disk. */
const libraryFolder = '/node_modules/typescript/lib';

/** Module resolution of the host. */
export type Resolve = NonNullable<ts.CompilerHost['resolveModuleNameLiterals']>;

/** Returns the host. Parsed files are cached, so that programs with compatible options share them. */
export function overlayHost(overlay: Overlay, resolve: Resolve): ts.CompilerHost {
  const { compiler } = overlay;
  const parsed = new Map<string, ts.SourceFile>();
  return {
    ...lookUp(overlay),
    getSourceFile: (name, version) => {
      const known = parsed.get(name);
      if (known !== undefined) return known;
      const text = readText(overlay, name);
      if (text === undefined) return undefined;
      const file = compiler.createSourceFile(name, text, asModule(overlay, name, version));
      parsed.set(name, file);
      return file;
    },
    getDefaultLibFileName: (options) => `${libraryFolder}/${compiler.getDefaultLibFileName(options)}`,
    getDefaultLibLocation: () => libraryFolder,
    getCurrentDirectory: () => overlay.folder,
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    writeFile: (name) => {
      throw new Error(`verification writes nothing, not even ${name}`);
    },
    resolveModuleNameLiterals: resolve,
  };
}

/** Returns the file access of module resolution: the output first, then the disk. */
export function lookUp(overlay: Overlay): ts.ModuleResolutionHost {
  const { sys } = overlay.compiler;
  return {
    fileExists: (name) => has(overlay, name) || sys.fileExists(name),
    readFile: (name) => readText(overlay, name),
    realpath: (name) => (has(overlay, name) ? name : (sys.realpath?.(name) ?? name)),
  };
}

/** Returns the file access of module resolution restricted to the output. */
export function lookUpOutput(overlay: Overlay): ts.ModuleResolutionHost {
  return {
    fileExists: (name) => has(overlay, name),
    readFile: (name) => overlay.files.get(relative(overlay, name)),
  };
}

/** Returns whether the output contains a file. */
export function has(overlay: Overlay, name: string): boolean {
  return overlay.files.has(relative(overlay, name));
}

/** Returns the path below the output folder; `''` for files outside of it. */
export function relative({ folder }: Overlay, name: string): string {
  return name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : '';
}

/** Outputs are ES modules, independent of the package around them. */
function asModule(
  overlay: Overlay,
  name: string,
  version: ts.ScriptTarget | ts.CreateSourceFileOptions,
): ts.CreateSourceFileOptions {
  const options = typeof version === 'object' ? version : { languageVersion: version };
  return has(overlay, name) ? { ...options, impliedNodeFormat: overlay.compiler.ModuleKind.ESNext } : options;
}

function readText(overlay: Overlay, name: string): string | undefined {
  const own = overlay.files.get(relative(overlay, name));
  if (own !== undefined) return own;
  if (name.startsWith(`${libraryFolder}/`)) return overlay.readLibrary(name);
  return overlay.compiler.sys.readFile(name);
}
