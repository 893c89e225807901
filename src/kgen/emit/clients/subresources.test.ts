import { describe, expect, it } from 'vitest';
import type { Resource, Subresource } from '../../model/ir.ts';
import {
  declaration,
  groupVersion,
  model,
  namedType,
  printed,
  property,
  resource,
  schema,
  subresource,
} from '../emit.fixture.ts';

const order = namedType('Order', {
  role: 'kind',
  properties: [
    property('apiVersion', schema({ shape: 'constant', value: 'other.domain/v2' })),
    property('kind', schema({ shape: 'constant', value: 'Order' })),
  ],
});

function index(subresources: readonly Subresource[], more: Partial<Resource> = {}): string {
  const foo = resource('Foo', { subresources, ...more });
  const others = groupVersion('other.domain', 'v2', { types: [order] });
  return printed(model(groupVersion('my.domain', 'v1', { resources: [foo] }), others))(
    'my.domain/v1/index.ts',
  );
}

const self = { is: 'self' } as const;
const status = schema({ shape: 'runtime', name: 'Status' });
const ordered = {
  is: 'object',
  schema: schema({ shape: 'ref', name: 'Order', from: { group: 'other.domain', version: 'v2' } }),
} as const;
const logged: Subresource['body'] = { is: 'text', options: { type: 'FooLogOptions' } };

describe('a subresource adds to the client', () => {
  it.each<{ given: Subresource; want: string }>([
    { given: subresource('status', ['get', 'update', 'patch'], self), want: 'WriteStatus<Foo>' },
    { given: subresource('scale', ['get', 'patch', 'update'], { is: 'scale' }), want: 'WriteScale' },
    {
      given: subresource('ephemeralcontainers', ['get', 'patch', 'update'], self),
      want: 'WriteEphemeralContainers<Foo>',
    },
    { given: subresource('resize', ['get', 'patch', 'update'], self), want: 'WriteResize<Foo>' },
    { given: subresource('approval', ['get', 'patch', 'update'], self), want: 'WriteApproval<Foo>' },
    { given: subresource('finalize', ['update'], self), want: 'Finalize<Foo>' },
    { given: subresource('eviction', ['create'], ordered), want: 'Evict<Order>' },
    { given: subresource('binding', ['create'], ordered), want: 'Bind<Order>' },
    { given: subresource('token', ['create'], ordered), want: 'CreateToken<Order>' },
    { given: subresource('log', ['get'], logged), want: 'ReadLog<FooLogOptions>' },
    {
      given: subresource('status', ['get'], self),
      want: "Subresources<{ status: Pick<SubresourceClient<Foo>, 'get'> }>",
    },
    {
      given: subresource('eviction', ['create', 'delete'], ordered),
      want: "Subresources<{ eviction: Pick<SubresourceClient<Order>, 'create' | 'delete'> }>",
    },
    { given: subresource('eviction', ['create'], { ...ordered, response: status }), want: 'Evict<Order>' },
    {
      given: subresource('order', ['create'], { ...ordered, response: status }),
      want: "Subresources<{ order: Pick<SubresourceClient<Order, Status>, 'create'> }>",
    },
    {
      given: subresource('restart', ['create'], { ...self, response: status }),
      want: "Subresources<{ restart: Pick<SubresourceClient<Foo, Status>, 'create'> }>",
    },
    {
      given: subresource('order', ['update'], { ...ordered, response: ordered.schema }),
      want: "Subresources<{ order: Pick<SubresourceClient<Order>, 'update'> }>",
    },
    {
      given: subresource('finalize', ['update'], ordered),
      want: "Subresources<{ finalize: Pick<SubresourceClient<Order>, 'update'> }>",
    },
    {
      given: subresource('a-b', ['get', 'patch', 'update'], { is: 'scale' }),
      want: "Subresources<{ 'a-b': Pick<SubresourceClient<Scale>, 'get' | 'patch' | 'apply' | 'update'> }>",
    },
    {
      given: subresource('report', ['get'], logged),
      want: 'Subresources<{ report: SubresourceText<FooLogOptions> }>',
    },
  ])('$given.name with $given.verbs: $want', ({ given, want }) => {
    expect(declaration(index([given]), 'export interface FooClient')).toBe(
      `export interface FooClient extends Crud<Foo, FooList>, ${want} {}`,
    );
  });

  it.each<{ given: Subresource; want: string }>([
    { given: subresource('status', ['get', 'update', 'patch'], self), want: 'CustomWriteStatus<Foo>' },
    { given: subresource('scale', ['get', 'update', 'patch'], { is: 'scale' }), want: 'WriteScale' },
    {
      given: subresource('approval', ['update'], self),
      want: "Subresources<{ approval: Pick<SubresourceClient<Foo>, 'update'> }>",
    },
  ])('of a custom resource, $given.name: $want', ({ given, want }) => {
    const text = declaration(index([given], { builtIn: false }), 'export interface FooClient');
    expect(text).toContain(`, ${want} {}`);
  });

  it('adds no member and no import without a verb of its client', () => {
    const text = index([subresource('refund', ['watch'], ordered)]);
    expect(text).toContain('export interface FooClient extends Crud<Foo, FooList> {}\n');
    expect(text).not.toContain('Order }');
  });

  it('uses one map for all subresources without an interface', () => {
    const given = [subresource('a', ['get'], self), subresource('b', ['create'], ordered)];
    expect(declaration(index(given), 'export interface FooClient')).toContain(
      "Subresources<{ a: Pick<SubresourceClient<Foo>, 'get'>; b: Pick<SubresourceClient<Order>, 'create'> }>",
    );
  });
});

describe('a descriptor', () => {
  it('names the verbs of subresources with any name', () => {
    const text = index([subresource('__proto__', ['get'], self), subresource('a-b', [], self)]);
    expect(text).toContain("  subresources: { ['__proto__']: ['get'], 'a-b': [] },\n");
  });

  it('names the kinds of bodies that are not in the runtime', () => {
    const given = [subresource('eviction', ['create'], ordered), subresource('refund', ['create'], ordered)];
    expect(index(given)).toContain(
      "  bodies: { refund: { apiVersion: 'other.domain/v2', kind: 'Order' } },\n",
    );
  });
});

it('has a separate constant for connections', () => {
  const connect = {
    constant: 'fooExec',
    options: { type: 'FooExecOptions' },
    methods: ['GET', 'POST'],
    path: false,
  };
  const text = index([subresource('exec', [], { is: 'connect', connect })]);
  expect(text).toContain('export interface FooClient extends Crud<Foo, FooList> {}\n');
  expect(declaration(text, 'export const fooExec')).toBe(
    "export const fooExec: ConnectResource<FooExecOptions> = /* @__PURE__ */ defineConnect({ group: 'my.domain', version: 'v1', plural: 'foos', scope: 'Namespaced', subresource: 'exec', methods: ['GET', 'POST'], path: false, });",
  );
  expect(text).toMatch(/import type \{[^}]*\bFooExecOptions\b[^}]*\} from '.\/types.js';/);
});

it('adds the streams of the runtime to the client of pods only', () => {
  const connect = (name: string): Subresource =>
    subresource(name, [], {
      is: 'connect',
      connect: { constant: `pod${name}`, options: { type: 'Options' }, methods: ['GET'], path: false },
    });
  const subresources = ['attach', 'exec', 'portforward', 'proxy'].map(connect);
  const pods = resource('Pod', { subresources, plural: 'pods', builtIn: true });
  const text = printed(model(groupVersion('', 'v1', { resources: [pods] })))('core/v1/index.ts');
  expect(text).toContain("import type { Attach, Exec, PortForward } from '@kgen/runtime/gen/v1/streams';\n");
  expect(text).toMatch(
    /interface PodClient\s+extends Crud<Pod, PodList>,\s+Attach,\s+Exec,\s+PortForward \{\}/,
  );
  expect(index(subresources)).not.toContain('gen/v1/streams');
});
