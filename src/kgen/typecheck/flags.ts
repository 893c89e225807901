import type { ts } from 'ts-morph';
import type { EmitOptions } from '../emit/options.ts';

/** Returns the strictest compiler flags that a user of an output may set. No `@types` packages are needed. */
export function checkerOptions(
  compiler: typeof ts,
  { emit, importExtension }: Pick<EmitOptions, 'emit' | 'importExtension'>,
): ts.CompilerOptions {
  // Imports without an extension require a bundler; Node.js does not resolve them.
  const bundled = importExtension === '' && emit === 'ts';
  return {
    target: compiler.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    module: bundled ? compiler.ModuleKind.ESNext : compiler.ModuleKind.NodeNext,
    moduleResolution: bundled
      ? compiler.ModuleResolutionKind.Bundler
      : compiler.ModuleResolutionKind.NodeNext,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    erasableSyntaxOnly: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: false,
    noEmitOnError: false,
    ...(emit === 'ts' ? { declaration: true, isolatedDeclarations: true } : {}),
  };
}

/** Flags for `.js` beside its `.d.ts`: names and imports must be correct, and types are in the `.d.ts`. */
export const looseOptions: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: false,
  exactOptionalPropertyTypes: false,
  noImplicitAny: false,
};
