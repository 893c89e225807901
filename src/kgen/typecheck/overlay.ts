/** A compiler host over the disk with an output laid on top, which nothing can write through. */
import type { ts } from 'ts-morph';

/** An output in memory. */
export interface Overlay {
  readonly compiler: typeof ts;
  /** Where the output would stand: absolute, with `/`, without one at the end. */
  readonly folder: string;
  /** Texts by path relative to the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** Text of one of the compiler's own libraries. */
  readonly readLibrary: (path: string) => string | undefined;
}

/** Where the compiler looks for its libraries: a name that is on no disk. */
const libraryFolder = '/node_modules/typescript/lib';

/** How the host finds modules. */
export type Resolve = NonNullable<ts.CompilerHost['resolveModuleNameLiterals']>;

/** Parsed files are kept, so that programs over one host share them as far as their options allow. */
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

/** What module resolution asks: the output first, then the disk. */
export function lookUp(overlay: Overlay): ts.ModuleResolutionHost {
  const { sys } = overlay.compiler;
  return {
    fileExists: (name) => has(overlay, name) || sys.fileExists(name),
    readFile: (name) => readText(overlay, name),
    realpath: (name) => (has(overlay, name) ? name : (sys.realpath?.(name) ?? name)),
  };
}

/** The same without the disk: what is in the output and nowhere else. */
export function lookUpOutput(overlay: Overlay): ts.ModuleResolutionHost {
  return {
    fileExists: (name) => has(overlay, name),
    readFile: (name) => overlay.files.get(relative(overlay, name)),
  };
}

/** True for a file of the output. */
export function has(overlay: Overlay, name: string): boolean {
  return overlay.files.has(relative(overlay, name));
}

/** Path below the output folder; `''` outside of it. */
export function relative({ folder }: Overlay, name: string): string {
  return name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : '';
}

/** Outputs are ES modules, whatever the package around them says today. */
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
