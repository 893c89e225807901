import { Project, ts } from 'ts-morph';
import type { Disk } from '../input/modules/disk.ts';

/** Parsed files by path, which programs of one process share. */
export type ParsedFiles = Map<string, ts.SourceFile>;

/** Virtual folder in which the compiler finds its libraries. */
const libraryFolder = '/node_modules/typescript/lib';

/** Returns a host with the libraries of the compiler, which ts-morph contains in another form than files. */
export function compilerHost(
  options: ts.CompilerOptions,
  disk: Disk,
  parsed: ParsedFiles = new Map(),
): ts.CompilerHost {
  const libraries = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost();
  const isLibrary = (path: string): boolean => path.startsWith(`${libraryFolder}/`);
  const readFile = (path: string): string | undefined =>
    isLibrary(path) ? libraries.readFile(path) : disk.readFile(path);
  return {
    ...ts.createCompilerHost(options),
    // Comments of TypeScript are read from the text.
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeInfo,
    readFile,
    fileExists: (path) => isLibrary(path) || disk.fileExists(path),
    directoryExists: disk.directoryExists,
    getDirectories: disk.getDirectories,
    realpath: disk.realpath,
    getDefaultLibLocation: () => libraryFolder,
    getDefaultLibFileName: (given) => `${libraryFolder}/${ts.getDefaultLibFileName(given)}`,
    getSourceFile: (path, version) => {
      const text = readFile(path);
      if (text === undefined) return undefined;
      const known = parsed.get(path);
      const format = typeof version === 'object' ? version.impliedNodeFormat : undefined;
      if (known?.text === text && known.impliedNodeFormat === format) return known;
      const file = ts.createSourceFile(path, text, version);
      parsed.set(path, file);
      return file;
    },
  };
}
