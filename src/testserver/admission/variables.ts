/** Variables of policies, which are evaluated when an expression reads them. */
import { dyn, type Type } from '@kgen/schema/cel/check/types';
import { type ExpressionScope, policyBudget } from '@kgen/schema/cel/library/kubernetes/admission';
import { CelObject, EvaluationError, type Value } from '@kgen/schema/cel/values/value';
import { array, isObject, type JsonObject, own, text } from '@kgen/schema/values/json';
import { compileExpression, evaluate, type Variables } from './expressions.ts';

/**
 * Returns the scope of the expressions of a policy. A variable has the type of its expression.
 * @param known types of the objects that expressions read. Default: any
 */
export function declareVariables(
  spec: JsonObject,
  structs?: ExpressionScope['structs'],
  known: { readonly object?: Type; readonly params?: Type } = {},
): ExpressionScope {
  const params = isObject(own(spec, 'paramKind')) ? (known.params ?? dyn) : undefined;
  const types = new Map<string, Type>();
  const scope = (): ExpressionScope => ({
    params,
    variables: new Map(types),
    ...(structs === undefined ? {} : { structs }),
    ...(known.object === undefined ? {} : { object: known.object }),
  });
  for (const variable of array(spec, 'variables')) {
    const compiled = compileExpression(text(variable, 'expression'), scope());
    const type = compiled instanceof Error ? dyn : compiled.checked.types.get(compiled.checked.expr);
    types.set(text(variable, 'name'), type ?? dyn);
  }
  return scope();
}

/** Adds the object `variables`, with the values of `spec.variables` of a policy, to those of a request. */
export function withVariables(spec: JsonObject, scope: ExpressionScope, request: Variables): Variables {
  const sources = new Map(
    array(spec, 'variables').map((variable) => [text(variable, 'name'), text(variable, 'expression')]),
  );
  const all: Variables = (name) => (name === 'variables' ? composed : request(name));
  const read = (name: string): Value | undefined => {
    const source = sources.get(name);
    if (source === undefined) return undefined;
    const { value } = evaluate(source, scope, all, policyBudget);
    if (!(value instanceof Error)) return value;
    const why = value.message.replace(/^expression '[\s\S]*' resulted in error: /, '');
    throw new EvaluationError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${why}`);
  };
  const composed = new CelObject('kubernetes.variables', () => [...sources.keys()], read);
  return all;
}
