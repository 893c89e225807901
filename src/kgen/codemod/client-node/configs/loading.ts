/** Functions that load a configuration, in place of the methods of `KubeConfig`. */
import { ts } from 'ts-morph';
import { literalOf, type Members } from '../calls/parameters.ts';
import type { Conversion } from '../state/conversion.ts';

/** A call that loads a configuration. */
export interface Loading {
  readonly text: string;
  /** Whether the text refers to no variable. */
  readonly isConstant: boolean;
}

/** Returns the call that loads a configuration; `undefined` for other combinations. */
export function loading(
  conversion: Conversion,
  calls: readonly ts.CallExpression[],
  place: ts.Node,
): Loading | undefined {
  const named = calls.map((call) => ({
    name: ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : '',
    argument: call.arguments[0],
  }));
  const context = named.find(({ name }) => name === 'setCurrentContext')?.argument;
  const loads = named.filter(({ name }) => name !== 'setCurrentContext');
  const [first, ...more] = loads;
  const isChoice = more.length > 0 && loads.every(({ name }) => /^loadFrom(Default|Cluster)$/.test(name));
  if (more.length > 0 && !isChoice) return undefined;
  const kind = isChoice ? 'loadFromDefault' : (first?.name ?? 'loadFromDefault');
  const argument = first?.argument === undefined ? '' : conversion.render(first.argument);
  const selected: Members = new Map(context === undefined ? [] : [['context', conversion.render(context)]]);
  const isConstant = [first?.argument, context].every(
    (each) => each === undefined || ts.isStringLiteral(each),
  );
  const text = loadText(conversion, kind, argument, selected, place);
  return text === undefined ? undefined : { text, isConstant };
}

function loadText(
  conversion: Conversion,
  kind: string,
  argument: string,
  selected: Members,
  place: ts.Node,
): string | undefined {
  if (kind === 'loadFromCluster') return `${conversion.use('@kgen/runtime', 'inClusterConfig')}()`;
  if (kind === 'loadFromString') {
    const name = conversion.use('@kgen/runtime/kubeconfig', 'parseKubeconfig');
    const options = selected.size === 0 ? '' : `, ${literalOf(conversion, selected, place)}`;
    return `${name}(${argument}${options})`;
  }
  if (kind !== 'loadFromDefault' && kind !== 'loadFromFile') return undefined;
  const file = kind === 'loadFromFile' ? [['kubeconfig', argument] as const] : [];
  const options: Members = new Map([...file, ...selected]);
  const list = options.size === 0 ? '' : literalOf(conversion, options, place);
  return `${conversion.use('@kgen/runtime', 'loadConfig')}(${list})`;
}

/** Returns whether `await` may stand at a node. */
export function isAwaitable(node: ts.Node): boolean {
  const owner = ts.findAncestor(node, (each) => ts.isFunctionLike(each) || ts.isPropertyDeclaration(each));
  if (owner === undefined) return true;
  const isAsync = ts.canHaveModifiers(owner) && ts.getModifiers(owner);
  return isAsync ? isAsync.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) : false;
}
