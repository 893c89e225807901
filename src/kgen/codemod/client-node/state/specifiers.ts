/** Modules that imports and `require` name. */
import { ts } from 'ts-morph';
import { requiredModule } from '../../rewriting.ts';

const library = /^@kubernetes\/client-node(\/|$)/;

/** Returns whether a module is client-node, or a part of it. */
export const isLibrary = (specifier: string): boolean => library.test(specifier);

/** Returns the module that a declaration names, for imports and `require`. */
export function moduleOf(node: ts.Node): ts.StringLiteralLike | undefined {
  if (ts.isImportDeclaration(node))
    return ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier : undefined;
  if (ts.isImportEqualsDeclaration(node)) {
    const { moduleReference } = node;
    const isExternal = ts.isExternalModuleReference(moduleReference);
    return isExternal && ts.isStringLiteral(moduleReference.expression)
      ? moduleReference.expression
      : undefined;
  }
  return ts.isVariableDeclaration(node) ? requiredModule(node.initializer) : undefined;
}
