/** Features of an editor, by TypeScript's language service. */
import { join } from 'node:path';
import ts from 'typescript';
import { compilerOptions } from '../support/checker.ts';

/** Quick info at a position. */
export interface Hover {
  /** The signature, as it is displayed. */
  readonly display: string;
  readonly docs: string;
  /** `@name text` lines. */
  readonly tags: readonly string[];
}

export interface Editor {
  /** Returns the quick info at an offset. */
  hover(offset: number): Hover;
  /** Returns the completions at an offset, followed by `deprecated` if they are struck through. */
  completions(offset: number): readonly string[];
  /** Returns the documentation of a completion at an offset. */
  completionDocs(offset: number, name: string): string;
  /** Returns the code that is struck through as deprecated. */
  struck(): readonly string[];
}

/** Opens one file of a project. */
export function openEditor(folder: string, file: string): Editor {
  const path = join(folder, file);
  const service = ts.createLanguageService(hostOf(folder, path));
  return {
    hover: (offset) => hoverAt(service, path, offset),
    completions: (offset) => completionsAt(service, path, offset),
    completionDocs: (offset, name) => completionDocsAt(service, path, offset, name),
    struck: () => struckIn(service, path),
  };
}

function hostOf(folder: string, path: string): ts.LanguageServiceHost {
  const options = { ...compilerOptions(folder), noUnusedLocals: false };
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (name) => ts.sys.realpath?.(name) ?? name,
  };
}

function hoverAt(service: ts.LanguageService, path: string, offset: number): Hover {
  const info = service.getQuickInfoAtPosition(path, offset);
  const tags = (info?.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`.trim());
  return {
    display: ts.displayPartsToString(info?.displayParts),
    docs: ts.displayPartsToString(info?.documentation),
    tags,
  };
}

function completionsAt(service: ts.LanguageService, path: string, offset: number): readonly string[] {
  const entries = service.getCompletionsAtPosition(path, offset, {})?.entries ?? [];
  const isStruck = (entry: ts.CompletionEntry): boolean => /\bdeprecated\b/.test(entry.kindModifiers ?? '');
  return entries.map((entry) => (isStruck(entry) ? `${entry.name} deprecated` : entry.name));
}

function completionDocsAt(service: ts.LanguageService, path: string, offset: number, name: string): string {
  const details = service.getCompletionEntryDetails(path, offset, name, {}, undefined, undefined, undefined);
  return ts.displayPartsToString(details?.documentation);
}

function struckIn(service: ts.LanguageService, path: string): readonly string[] {
  const text = ts.sys.readFile(path) ?? '';
  return service
    .getSuggestionDiagnostics(path)
    .filter(({ reportsDeprecated }) => reportsDeprecated !== undefined)
    .map(({ start, length }) => text.slice(start, start + length));
}
