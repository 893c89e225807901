/** Errors of the compiler in a program whose types name its resources. */
import { isBuiltin } from 'node:module';
import { ts } from 'ts-morph';
import { error, type InputProblem, limitPerFile, sortProblems } from '../../../common/problems.ts';
import type { Scan } from '../scan.ts';

/** Errors that leave types unknown: of modules, names, members and calls that do not exist. */
const unresolved: ReadonlySet<number> = new Set([
  2304, 2305, 2306, 2307, 2339, 2503, 2551, 2552, 2580, 2591, 2614, 2694, 2724, 2792, 2834, 2835, 7016,
]);

/** Errors that depend on whether a file is an ES module or CommonJS, such as `await` at the top level. */
const ofModuleFormat: ReadonlySet<number> = new Set([1309, 1378, 1432, 1470, 1471, 1479, 1541, 1542]);

/**
 * Returns the errors of files. Without `strict` of their author, the compiler reports more than that of the
 * author: only errors that leave types unknown count then.
 */
export function compileErrors(
  scan: Scan,
  program: ts.Program,
  sources: readonly ts.SourceFile[],
  isStrict: boolean,
): readonly InputProblem[] {
  const errors = sources.flatMap((source) => errorsOf(scan, program, source, isStrict));
  if (errors.length === 0) return errors;
  const summary = error('the program does not compile, and its types name the resources of its requests');
  return sortProblems([...errors, summary]);
}

function errorsOf(
  scan: Scan,
  program: ts.Program,
  source: ts.SourceFile,
  isStrict: boolean,
): readonly InputProblem[] {
  const syntactic = program.getSyntacticDiagnostics(source);
  const semantic = syntactic.length > 0 ? [] : program.getSemanticDiagnostics(source);
  const found = [
    ...syntactic,
    ...semantic.filter(({ code }) => (isStrict || unresolved.has(code)) && !ofModuleFormat.has(code)),
  ].filter(({ category }) => category === ts.DiagnosticCategory.Error);
  const problems = found.map(({ start = 0, code, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, ' ').replaceAll(/\s+/g, ' ');
    return error(`${text.replace(/\.$/, '')} (TS${code})`, scan.placeAt(source, start));
  });
  return limitPerFile([...problems, ...(isScript(source) ? missingModules(scan, program, source) : [])]);
}

const isScript = ({ fileName }: ts.SourceFile): boolean => /\.[cm]?jsx?$/.test(fileName);

/** The compiler does not report the modules that JavaScript imports and that do not exist. */
function missingModules(scan: Scan, program: ts.Program, source: ts.SourceFile): readonly InputProblem[] {
  const isFound = (name: string): boolean =>
    isBuiltin(name) ||
    /\.(json|css|html|svg|wasm|node)$/.test(name) ||
    ts.resolveModuleName(name, source.fileName, program.getCompilerOptions(), scan.disk).resolvedModule !==
      undefined;
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier: name } = statement;
    if (name === undefined || !ts.isStringLiteral(name) || isFound(name.text)) return [];
    return [error(`the module ${JSON.stringify(name.text)} does not exist`, scan.placeOf(name))];
  });
}
