/** Every function of the packages that can send a request has its permissions in the tables of kgen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from 'ts-morph';
import { expect, it } from 'vitest';
import { isRequestFunction } from '../../src/kgen/manifests/permissions/functions.ts';
import {
  isClientInterface,
  objectAccess,
  objectInterfaces,
  subresourceInterfaces,
  subresourceVerb,
} from '../../src/kgen/manifests/permissions/requests.ts';
import { repository } from '../support/emitted.ts';

/** Members and functions whose results arrive later, and that need no rule of their own, by the reason. */
const withoutRule: Readonly<Record<string, readonly string[]>> = {
  'discovery, documents and self reviews, which every authenticated user may read': [
    ...['openAPIV2', 'openAPIV3', 'openAPIV3Document', 'serverGroups', 'serverGroupsAndResources'].map(
      of('DiscoveryClient_2'),
    ),
    ...['serverPreferredNamespacedResources', 'serverPreferredResources'].map(of('DiscoveryClient_2')),
    ...['serverResourcesForGroupVersion', 'serverVersion'].map(of('DiscoveryClient_2')),
    ...['categoryMappings', 'kindFor', 'kindsFor', 'mapping', 'mappingFor'].map(of('RESTMapper_2')),
    ...['mappings', 'mappingsFor', 'resourceFor', 'resourcesFor'].map(of('RESTMapper_2')),
    ...['KindMapper.mapping', 'ResourceMapper.mappingFor', 'ResourceMapper.mappingsFor', 'canI'],
  ],
  'a part whose creation has the rules: an informer, an election, a manager, a recorder, a stream': [
    ...['close', 'start', 'stop', 'waitForSync'].map(of('InformerFactoryBase')),
    ...['SharedInformers.stop', 'SharedInformers.waitForSync', 'LeaderElector.run'],
    ...['Manager.record', 'Manager.run', 'EventRecorder.flush', 'EventRecorder.stop'],
    ...[
      'OwnedDependents.finalize',
      'OwnedDependents.reconcile',
      'ExecSession.connectTerminal',
      'PortForwarding.close',
    ],
    ...['create', 'list', 'read', 'remove', 'update'].map(of('LeaseRequests')),
    ...['ListWatch.list', 'ListWatch.watch', 'ManualRuns.discard', 'ManualRuns.perform'],
  ],
  'an object or a function of the program': [
    ...['DependentsClient.apply', 'DependentsClient.delete', 'executePlan', 'retryOnConflict'],
    ...['RESTInterceptor.request', 'RESTInterceptor.stream'],
    ...[
      'Runnable.drain',
      'Runnable.run',
      'Runnable.start',
      'Runnable.stop',
      'DefaultsOptions.handle',
      'ValidatesOptions.handle',
    ],
  ],
  'the members of RESTClient, by path': [
    ...['delete', 'get', 'patch', 'post', 'put'].flatMap((name) => [
      `AnyPathMethods.${name}`,
      `TypedPathMethods.${name}`,
    ]),
  ],
  'local work': [
    ...[
      'ClientsetBase.close',
      'RESTClient.close',
      'EventLoopTurn.next',
      'ReviewService.respond',
      'Webhooks.review',
      'ServedReviews.respond',
      'WorkQueue.get',
      'WorkQueue.shutDown',
    ],
    ...[
      'Kubeconfig.config',
      'Kubeconfig.write',
      'inClusterConfig',
      'loadConfig',
      'loadKubeconfig',
      'parseKubeconfig',
    ],
    ...['decodeObject', 'encodeObject', 'preload', 'dumpAllYaml', 'dumpYaml', 'loadAllYaml', 'loadYaml'],
  ],
};

it('each exported function that can send a request has a row of permissions, or a reason to have none', () => {
  const all = ['kgen-runtime', 'kgen-controller'].flatMap(laterResults);
  expect(all.length).toBeGreaterThan(100);
  const listed = Object.values(withoutRule).flat();
  expect(new Set(all.filter((name) => !hasRow(name)))).toEqual(new Set(listed));
});

function of(owner: string): (member: string) => string {
  return (member) => `${owner}.${member}`;
}

/** Returns whether the tables of requests have a function, or a member of an interface. */
function hasRow(name: string): boolean {
  const [owner = '', member] = name.split('.');
  if (member === undefined) return isRequestFunction(owner);
  if (objectInterfaces.has(owner)) return objectAccess(member) !== undefined;
  if (subresourceInterfaces.has(owner)) return subresourceVerb(member) !== undefined;
  if (isClientInterface(owner)) return member !== 'close';
  // Calls that return an informer, and helpers that watch.
  const isInformer =
    /^(InformerFactoryBase|SharedInformers)$/.test(owner) && /^(of|metadataOf)$/.test(member);
  return isInformer || /^(InformerAccessor|ClusterWatchHelper|NamespacedWatchHelper)$/.test(owner);
}

/** Returns the functions and members of a report whose results arrive later, or are informers. */
function laterResults(report: string): readonly string[] {
  const text = readFileSync(join(repository, `api/${report}.api.md`), 'utf8');
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const later = laterTypes(blocks);
  const found = new Set<string>();
  for (const block of blocks) {
    const visit = (node: ts.Node, owner: string): void => {
      const result = resultOf(node);
      if (result !== undefined && later.test(result)) found.add(`${owner}${nameOf(node)}`);
      const isOwner =
        ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node);
      ts.forEachChild(node, (child) => visit(child, isOwner ? `${node.name?.text}.` : owner));
    };
    visit(ts.createSourceFile('report.ts', block, ts.ScriptTarget.ESNext, true), '');
  }
  return [...found];
}

/** Matches promises, streams and informers, and the aliases of the reports for them. */
function laterTypes(blocks: readonly string[]): RegExp {
  const names = String.raw`Promise|Async\w+|Informer|SelectedInformer|ClusterSelectedInformer|Readable\w*`;
  const aliases = blocks
    .flatMap((block) => [
      ...block.matchAll(/^(?:export )?type (\w+)(?:<[^=]*>)? = (?:\([^;]*\) => )?Promise</gm),
    ])
    .map(([, name]) => name);
  return new RegExp(String.raw`\b(?:${[names, ...aliases].join('|')})\b`);
}

function resultOf(node: ts.Node): string | undefined {
  const isFunction =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isCallSignatureDeclaration(node);
  if (isFunction) return node.type?.getText();
  const isMember = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
  return isMember && node.type !== undefined && ts.isFunctionTypeNode(node.type)
    ? node.type.type.getText()
    : undefined;
}

function nameOf(node: ts.Node): string {
  return 'name' in node && node.name !== undefined ? (node as ts.MethodSignature).name.getText() : '()';
}
