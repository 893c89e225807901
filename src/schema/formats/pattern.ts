/** RE2 expressions, whose syntax differs from that of JavaScript. */
import { RE2JS } from 're2js';

const compiled = new Map<string, RE2JS | Error>();

/**
 * Returns whether `value` contains a match of the RE2 expression, or an Error if the pattern does not
 * compile.
 */
export function matchesPattern(pattern: string, value: string): boolean | Error {
  const matcher = compile(pattern);
  return matcher instanceof Error ? matcher : matcher.test(value);
}

/** Returns why an expression is not RE2, or `undefined` if it is. */
export function patternProblem(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return compiled instanceof Error ? compiled.message : undefined;
}

/** Returns the matches of the RE2 expression, at most `limit`, or an Error if it does not compile. */
export function findMatches(pattern: string, value: string, limit: number): readonly string[] | Error {
  const expression = compile(pattern);
  if (expression instanceof Error) return expression;
  const matcher = expression.matcher(value);
  const found: string[] = [];
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function compile(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const matcher = attempt(pattern);
  compiled.set(pattern, matcher);
  return matcher;
}

function attempt(pattern: string): RE2JS | Error {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
