/** Imports of a converted file. Programs with `require` become ES modules. */
import { ts } from 'ts-morph';
import { visitAll } from '../../rewriting.ts';
import type { Conversion } from './conversion.ts';
import { isLibrary, moduleOf } from './specifiers.ts';

/** Mark in place of the imports of kgen, which are known at the end. */
const place = '\u0002';

/** Returns whether a file names client-node as a module. */
export function importsLibrary(source: ts.SourceFile): boolean {
  let isFound = false;
  visitAll(source, (node) => {
    if (ts.isStringLiteralLike(node) && isLibrary(node.text)) isFound = true;
  });
  return isFound;
}

/** Reports re-exports, dynamic imports and calls of `require` that are not declarations of the module. */
export function reportModule(conversion: Conversion, node: ts.Node): undefined {
  if (ts.isStringLiteralLike(node) && isLibrary(node.text))
    conversion.report(node, 'only imports at the start of a module are converted');
  return undefined;
}

const placed = new WeakSet<Conversion>();

/** Converts imports of client-node, and `require` of other modules. */
export function convertImport(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isStatement(node) || node.parent !== conversion.source) return undefined;
  const [module, ...more] = declaredModules(node);
  if (module === undefined) return undefined;
  if (!isLibrary(module.text)) return more.length > 0 ? undefined : convertRequire(conversion, node, module);
  if (placed.has(conversion)) return conversion.remove();
  placed.add(conversion);
  return `${place}${node.getText()}${place}`;
}

function declaredModules(statement: ts.Statement): readonly ts.StringLiteralLike[] {
  const nodes = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
  return nodes.flatMap((node) => moduleOf(node) ?? []);
}

function convertRequire(
  conversion: Conversion,
  node: ts.Statement,
  module: ts.StringLiteralLike,
): string | undefined {
  if (!ts.isVariableStatement(node)) return undefined;
  const [only] = node.declarationList.declarations;
  if (only === undefined) return undefined;
  const end = node.getText().endsWith(';') ? ';' : '';
  if (/^\.{1,2}\//.test(module.text) && !/\.\w+$/.test(module.text))
    conversion.report(node, 'imports of ES modules need the extension of the file');
  if (ts.isIdentifier(only.name)) return `import ${only.name.text} from ${module.getText()}${end}`;
  if (!ts.isObjectBindingPattern(only.name)) return undefined;
  const names = only.name.elements.map(({ propertyName, name }) =>
    propertyName === undefined ? name.getText() : `${propertyName.getText()} as ${name.getText()}`,
  );
  return `import { ${names.join(', ')} } from ${module.getText()}${end}`;
}

/** Converts exports and names that only CommonJS has, in files with `require`. */
export function convertCommonJs(conversion: Conversion, node: ts.Node): string | undefined {
  if (ts.isExpressionStatement(node)) return convertExport(conversion, node);
  if (!ts.isIdentifier(node) || !/^(module|exports|require|__dirname|__filename)$/.test(node.text))
    return undefined;
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
  const isOwn = (conversion.symbolOf(node)?.declarations ?? []).some(
    (each) =>
      each.getSourceFile() === conversion.source &&
      (ts.isVariableDeclaration(each) || ts.isParameter(each) || ts.isBindingElement(each)),
  );
  if (isMember || isOwn || ts.isPropertyAssignment(node.parent) || !isCommonJs(conversion)) return undefined;
  if (node.text.startsWith('__')) return `import.meta.${node.text.slice(2)}`;
  conversion.report(node, `${node.text} of CommonJS: the file becomes an ES module`);
  return undefined;
}

const isCommonJs = ({ source }: Conversion): boolean =>
  source.statements.some((node) => ts.isVariableStatement(node) && declaredModules(node).length > 0);

/** Converts `exports.name = value` and `module.exports = { name }`. */
function convertExport(conversion: Conversion, node: ts.ExpressionStatement): string | undefined {
  const { expression } = node;
  if (!ts.isBinaryExpression(expression) || node.parent !== conversion.source || !isCommonJs(conversion))
    return undefined;
  const { left, right } = expression;
  const target = left.getText();
  const name = /^(?:module\.)?exports\.(\w+)$/.exec(target)?.[1];
  if (name !== undefined) {
    if (ts.isIdentifier(right))
      return `export { ${right.text === name ? name : `${right.text} as ${name}`} };`;
    return conversion.names.has(name) ? undefined : `export const ${name} = ${conversion.render(right)};`;
  }
  if (target !== 'module.exports' || !ts.isObjectLiteralExpression(right)) return undefined;
  const names = right.properties.filter(ts.isShorthandPropertyAssignment).map((each) => each.name.text);
  return names.length === right.properties.length ? `export { ${names.join(', ')} };` : undefined;
}

/** Returns the text of a file with the imports of kgen, and those of client-node that are still used. */
export function withImports(conversion: Conversion, text: string): string {
  const parts = text.split(place);
  const own = parts[1] ?? '';
  const quote = own.includes('"') ? '"' : "'";
  const end = own.endsWith(';') ? ';' : '';
  const kept = conversion.kept.size === 0 ? [] : [keptImport(conversion, own, quote, end)];
  const lines = [...kept, ...conversion.imports.lines(quote, end)];
  const hoisted = conversion.hoisted.length === 0 ? '' : `\n\n${conversion.hoisted.join('\n')}`;
  if (hoisted === '') return [parts[0], lines.join('\n'), ...parts.slice(2)].join('');
  return afterImports([parts[0], lines.join('\n'), ...parts.slice(2)].join(''), hoisted);
}

function keptImport(conversion: Conversion, own: string, quote: string, end: string): string {
  const module = `${quote}@kubernetes/client-node${quote}`;
  const whole = /^(?:import \* as|import|const|var|let) (\w+)\b/.exec(own)?.[1];
  if (whole !== undefined && !own.includes('{')) return `import * as ${whole} from ${module}${end}`;
  return `import { ${[...conversion.kept].sort().join(', ')} } from ${module}${end}`;
}

/** Inserts declarations after the last import. */
function afterImports(text: string, declarations: string): string {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  const last = file.statements.findLast((each) => ts.isImportDeclaration(each));
  const position = last?.end ?? 0;
  return text.slice(0, position) + declarations + text.slice(position);
}
