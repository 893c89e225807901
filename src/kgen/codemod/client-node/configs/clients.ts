/** `KubeConfig`: one clientset takes the place of a configuration and of the clients that it makes. */
import { ts } from 'ts-morph';
import type { Conversion } from '../state/conversion.ts';
import { classOf, exportOf } from '../state/library.ts';
import { groupOfClass } from '../tables/groups.ts';
import { clientsetText, createdClientset, keptText, onlyConfig } from './plan.ts';

/** Converts configurations, their creation, and the clients that are made from them. */
export function convertConfig(conversion: Conversion, node: ts.Node): string | undefined {
  const remaining = keptText(conversion, node);
  if (remaining !== undefined) return remaining;
  const config = onlyConfig(conversion, node);
  if (config !== undefined) return clientsetText(conversion, config);
  if (ts.isNewExpression(node)) {
    if (exportOf(conversion, node.expression) !== 'KubeConfig') return undefined;
    conversion.note(node, 'KubeConfig is Clientset of @kgen/kubernetes');
    return createdClientset(conversion, node);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: owner, name } = node.expression;
  if (name.text === 'makeApiClient') return madeClient(conversion, node, owner, node.arguments[0]);
  const isOwn =
    classOf(conversion, owner) === 'KubeConfig' && keptText(conversion, node.expression) === undefined;
  if (isOwn) conversion.report(node, `${name.text} of KubeConfig has no equivalent`);
  return undefined;
}

function madeClient(
  conversion: Conversion,
  node: ts.CallExpression,
  owner: ts.Expression,
  argument: ts.Expression | undefined,
): string | undefined {
  const isStatic = exportOf(conversion, owner) === 'KubernetesObjectApi';
  const config = isStatic ? argument : owner;
  const name = isStatic ? 'KubernetesObjectApi' : exportOf(conversion, argument);
  if (config === undefined || name === undefined) return undefined;
  const clientset = clientsetText(conversion, config);
  const group = groupOfClass(name);
  const [entry, client] = otherClients[name] ?? [];
  if (group === undefined && client === undefined) {
    conversion.report(node, `${name} has no equivalent`);
    return undefined;
  }
  conversion.note(
    node,
    `${name} is ${group === undefined ? `${client} of ${entry}` : `${group.accessor} of the clientset`}`,
  );
  if (group !== undefined) return `${clientset}.${group.accessor}`;
  return `new ${conversion.use(entry ?? '', client ?? '')}(${clientset})`;
}

/** Clients of kgen in place of classes of client-node that are not of one API group: entry point and name. */
export const otherClients: Readonly<Record<string, readonly [string, string]>> = {
  KubernetesObjectApi: ['@kgen/runtime/dynamic', 'ObjectsClient'],
  CustomObjectsApi: ['@kgen/runtime/dynamic', 'DynamicClient'],
  VersionApi: ['@kgen/runtime/discovery', 'DiscoveryClient'],
};
