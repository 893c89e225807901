// Text of JavaScript modules without comments, indentation and spaces. Statements remain on lines of their
// own, and names remain: a stack trace shows the statement of the source.
import ts from 'typescript';

/**
 * Returns the compact text of a module. Annotations for bundlers remain.
 *
 * @param {string} text
 */
export function compactScript(text) {
  const source = ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true);
  const parts = [];
  let [before, column] = [undefined, 0];
  for (const token of tokensOf(source, source)) {
    const start = token.getStart(source);
    const isLong = column > maximumColumns && before.kind === ts.SyntaxKind.CommaToken;
    const gap = isLong ? '\n' : gapText(text.slice(before?.end ?? 0, start), before, token, text);
    const word = text.slice(start, token.end);
    if (isInserted(before, gap, token, word)) parts.pop();
    parts.push(gap, word);
    column = (gap.includes('\n') ? 0 : column + gap.length) + word.length;
    before = token;
  }
  return `${parts.join('')}\n`;
}

/** Length after which a line is continued behind the next comma. */
const maximumColumns = 110;

/** Statements that end with a semicolon. */
const statements = new Set([
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.ExpressionStatement,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.ThrowStatement,
  ts.SyntaxKind.BreakStatement,
  ts.SyntaxKind.ContinueStatement,
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
]);

/** Returns whether a parser inserts a semicolon where it is: at the end of a line or block. */
function isInserted(semicolon, gap, after, word) {
  if (semicolon?.kind !== ts.SyntaxKind.SemicolonToken || !statements.has(semicolon.parent.kind))
    return false;
  if (after.kind === ts.SyntaxKind.CloseBraceToken) return true;
  // A line that may begin with one of these characters may continue the expression before it.
  return gap.startsWith('\n') && /^[\w$#{}"']/.test(word) && !/^in(?:stanceof)?$/.test(word);
}

/** Returns the tokens below a node, in order. */
export function tokensOf(node, source) {
  if (ts.isJSDoc(node) || node.kind === ts.SyntaxKind.EndOfFileToken) return [];
  const children = node.getChildren(source);
  if (children.length > 0) return children.flatMap((child) => tokensOf(child, source));
  return node.getWidth(source) > 0 ? [node] : [];
}

const closing = new Set([
  ts.SyntaxKind.CloseBraceToken,
  ts.SyntaxKind.CloseBracketToken,
  ts.SyntaxKind.CloseParenToken,
]);

/** Returns whether only closing brackets and punctuation are between a position and the end of its line. */
function closesLine(text, position) {
  return /^[)}\];,]*$/.test(text.slice(position, text.indexOf('\n', position)).trim());
}

/** Returns the text between two tokens. */
function gapText(gap, before, after, text) {
  const annotation = /\/\* *[@#]__(?:PURE|NO_SIDE_EFFECTS)__ *\*\//.exec(gap)?.[0] ?? '';
  if (before === undefined) return annotation;
  // Lines of closing brackets join the line before them.
  const isClosing = closing.has(after.kind) && closesLine(text, after.end);
  if (gap.includes('\n')) return isClosing ? annotation : `\n${annotation}`;
  const isSeparate = canMerge(text.charAt(before.end - 1), text.charAt(after.getStart()));
  return (gap !== '' && isSeparate ? ' ' : '') + annotation;
}

/** Returns whether two characters may belong to one token. */
function canMerge(last, first) {
  const isWord = /[\w$#\u0080-\uffff]/;
  const isSign = /[-+*/%<>=!&|?.^~]/;
  return (isWord.test(last) && isWord.test(first)) || (isSign.test(last) && isSign.test(first));
}
