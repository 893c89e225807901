/** Types of client-node, its models, and its errors. */
import { ts } from 'ts-morph';
import { otherClients } from './configs/clients.ts';
import type { Conversion } from './state/conversion.ts';
import { exportOf } from './state/library.ts';
import { groupOfClass, type TypePlace, typeOfModel } from './tables/groups.ts';

const runtime = '@kgen/runtime';

const places: Readonly<Record<string, TypePlace>> = {
  KubernetesObject: { entry: runtime, name: 'KubernetesObject' },
  KubernetesListObject: { entry: runtime, name: 'KubernetesList' },
  Informer: { entry: runtime, name: 'Informer' },
  ApiException: { entry: runtime, name: 'ApiError' },
  HttpError: { entry: runtime, name: 'ApiError' },
  TerminalSize: { entry: '@kgen/runtime/streams', name: 'TerminalSize' },
  IntOrString: { entry: '@kgen/runtime', name: 'IntOrString' },
};

/** Converts references to types, such as `k8s.V1Pod`. */
export function convertType(conversion: Conversion, node: ts.Node): string | undefined {
  if (ts.isExpressionWithTypeArguments(node) && exportOf(conversion, node.expression) !== undefined)
    return typeText(conversion, node, exportOf(conversion, node.expression), node.typeArguments);
  if (!ts.isTypeReferenceNode(node)) return undefined;
  return typeText(conversion, node, exportOf(conversion, node.typeName), node.typeArguments);
}

function typeText(
  conversion: Conversion,
  node: ts.Node,
  name: string | undefined,
  given: ts.NodeArray<ts.TypeNode> | undefined,
): string | undefined {
  if (name === undefined || name === 'IntOrString') return name === undefined ? undefined : 'string | number';
  const place = placeOf(name);
  if (place === undefined) {
    conversion.report(node, `the type ${name} has no equivalent`);
    return undefined;
  }
  const local = conversion.use(place.entry, place.name, true, name);
  const takes = place.name === 'KubernetesList' || place.name === 'Informer';
  return takes && given !== undefined
    ? `${local}<${given.map((each) => conversion.render(each)).join(', ')}>`
    : local;
}

/** Returns the type of kgen in place of an export of client-node. */
function placeOf(name: string): TypePlace | undefined {
  if (/^(KubeConfig|Watch|Exec|Attach|Log|PortForward|Cp|Metrics)$/.test(name))
    return { entry: '@kgen/kubernetes', name: 'Clientset' };
  const group = groupOfClass(name);
  if (group !== undefined) {
    const client = `${group.accessor.charAt(0).toUpperCase()}${group.accessor.slice(1)}Client`;
    return { entry: `@kgen/kubernetes/${group.entry}`, name: client };
  }
  const [entry, client] = otherClients[name] ?? [];
  if (entry !== undefined && client !== undefined) return { entry, name: client };
  return places[name] ?? typeOfModel(name);
}

/** Converts `new V1Job()`: objects of kgen are literals. */
export function convertModel(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isNewExpression(node) || (node.arguments?.length ?? 0) > 0) return undefined;
  const name = exportOf(conversion, node.expression);
  const place = name === undefined ? undefined : typeOfModel(name);
  if (name === undefined || place === undefined) return undefined;
  conversion.note(node, `${name} is the type ${place.name} of ${place.entry}`);
  if (!conversion.isTypeScript) return `/** @type {import('${place.entry}').${place.name}} */ ({})`;
  return `{} as ${conversion.use(place.entry, place.name, true, name)}`;
}

/** Converts tests and members of errors. */
export function convertError(conversion: Conversion, node: ts.Node): string | undefined {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) {
    if (!/^(ApiException|HttpError)$/.test(exportOf(conversion, node.right) ?? '')) return undefined;
    conversion.note(node, 'isApiError of @kgen/runtime tests errors of servers');
    return `${conversion.use(runtime, 'isApiError')}(${conversion.render(node.left)})`;
  }
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const owner = node.name.text === 'statusCode' ? withoutResponse(node.expression) : undefined;
  if (owner !== undefined && isError(conversion, owner)) {
    const optional = node.getText().includes('?.') ? '?' : '';
    return `${conversion.render(owner)}${optional}.code`;
  }
  if (node.name.text !== 'body' || !isError(conversion, withoutResponse(node.expression))) return undefined;
  const isRead = ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node;
  if (!isRead) conversion.report(node, 'the body of an error is its status, an object');
  return `${conversion.render(withoutResponse(node.expression))}.status`;
}

const withoutResponse = (node: ts.Expression): ts.Expression =>
  ts.isPropertyAccessExpression(node) && node.name.text === 'response' ? node.expression : node;

/** Returns whether an expression is the variable of `catch`, or the parameter of `.catch((error) => …)`. */
function isError(conversion: Conversion, node: ts.Expression): boolean {
  if (!ts.isIdentifier(node)) return false;
  const declaration = conversion.symbolOf(node)?.valueDeclaration;
  if (declaration === undefined) return false;
  if (ts.isCatchClause(declaration.parent)) return true;
  const call = ts.isParameter(declaration) ? declaration.parent.parent : undefined;
  if (call === undefined || !ts.isCallExpression(call)) return false;
  return ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'catch';
}

/** Reports methods of dates: times are strings in kgen. */
export function reportDate(conversion: Conversion, node: ts.Node): undefined {
  if (!ts.isPropertyAccessExpression(node) || !ts.isPropertyAccessExpression(node.expression))
    return undefined;
  const { checker } = conversion;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
  const file = conversion.symbolOf(node.expression.name)?.declarations?.[0]?.getSourceFile().fileName ?? '';
  if (type.getSymbol()?.name === 'Date' && file.includes('/@kubernetes/client-node/'))
    conversion.report(node, 'times are strings, not dates: create a Date of this one');
  return undefined;
}

/** Replaces names that the conversion has changed, and reports those of client-node that remain. */
export function convertName(conversion: Conversion, node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && node.name.text === '_continue')
    return `${conversion.render(node.expression)}${node.questionDotToken === undefined ? '.' : '?.'}continue`;
  const name = exportOf(conversion, node);
  if (name !== undefined && isUse(node)) {
    conversion.kept.add(name);
    const isKnown = conversion.problems.some(({ position }) => position === node.getStart());
    if (!isKnown) conversion.report(node, `${name} of @kubernetes/client-node has no equivalent`);
    return undefined;
  }
  if (!ts.isIdentifier(node)) return undefined;
  const symbol = conversion.symbolOf(node);
  const text = symbol && conversion.replaced.get(symbol);
  if (text === undefined) return undefined;
  return ts.isShorthandPropertyAssignment(node.parent) ? `${node.text}: ${text}` : text;
}

const isUse = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) || ts.isQualifiedName(node) || ts.isIdentifier(node);
