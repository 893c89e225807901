import { describe, expect, it } from 'vitest';
import type { Resource } from '../../model/ir.ts';
import { declaration, everyVerb, groupVersion, model, printed, resource } from '../emit.fixture.ts';

function index(of: Resource, group = 'my.domain'): string {
  const path = `${group === '' ? 'core' : group}/v1/index.ts`;
  return printed(model(groupVersion(group, 'v1', { resources: [of] })))(path);
}

const kept = 'Get<Foo>, List<Foo, FooList>, Watch<Foo>, WaitFor<Foo>';

describe('a descriptor is', () => {
  it.each<{ of: string; verbs: Resource['verbs']; want: string }>([
    { of: 'what is kept', verbs: everyVerb, want: 'for `resource()` and informers.' },
    { of: 'what cannot be watched', verbs: ['get', 'list'], want: 'for `resource()`.' },
    { of: 'what is only created', verbs: ['create'], want: 'for `resource()`.' },
  ])('for $of', ({ verbs, want }) => {
    expect(index(resource('Foo', { verbs, stored: verbs.includes('watch') }))).toContain(
      `/** Descriptor of \`my.domain/v1/foos\` ${want} */`,
    );
  });
});

describe('a client extends', () => {
  it.each<{ of: string; given: Partial<Resource>; want: string }>([
    { of: 'all verbs', given: {}, want: 'Crud<Foo, FooList>' },
    { of: 'all verbs of a custom resource', given: { builtIn: false }, want: 'CustomCrud<Foo, FooList>' },
    {
      of: 'all verbs and selectable fields',
      given: { selectableFields: ['spec.a', 'spec.b'] },
      want: 'Crud<Foo, FooList, FooSelectableField>',
    },
    {
      of: 'all verbs but deletecollection',
      given: { verbs: everyVerb.slice(0, -1) },
      want: `${kept}, Create<Foo>, Update<Foo>, Patch<Foo>, Apply<Foo>, Delete<Foo>`,
    },
    {
      of: 'some verbs of a custom resource',
      given: { builtIn: false, verbs: ['get', 'list', 'watch', 'patch'], selectableFields: ['spec.a'] },
      want: 'Get<Foo>, List<Foo, FooList, FooSelectableField>, Watch<Foo, FooSelectableField>, WaitFor<Foo>, CustomPatch<Foo>, Apply<Foo>',
    },
    {
      of: 'delete without watch, without waiting for the end',
      given: { verbs: ['get', 'list', 'delete', 'deletecollection'] },
      want: "Get<Foo>, List<Foo, FooList>, Pick<Delete<Foo>, 'delete'>, DeleteCollection<FooList>",
    },
    {
      of: 'deletecollection without list',
      given: { verbs: ['deletecollection'] },
      want: 'DeleteCollection<never>',
    },
    { of: 'create alone', given: { verbs: ['create'], stored: false }, want: 'CreateOnly<Foo>' },
    {
      of: 'a virtual kind',
      given: { verbs: ['get', 'list'], stored: false },
      want: 'ReadVirtual<Foo>, ListVirtual<Foo, FooList>',
    },
    {
      of: 'a virtual kind that is created',
      given: { verbs: ['create', 'get'], stored: false },
      want: 'ReadVirtual<Foo>, CreateOnly<Foo>',
    },
  ])('for $of', ({ given, want }) => {
    const text = declaration(index(resource('Foo', given)), 'export interface FooClient');
    expect(text).toBe(`export interface FooClient extends ${want} {}`);
  });

  it('returns no type without verbs', () => {
    const text = declaration(index(resource('Foo', { verbs: [] })), 'export interface FooClient');
    expect(text).toBe('export interface FooClient {}');
  });

  it('uses CreateAction only for bindings of the core group', () => {
    const binding = resource('Binding', { verbs: ['create'], stored: false });
    expect(index(binding, '')).toContain('extends CreateAction<Binding> {}');
    expect(index(binding)).toContain('extends CreateOnly<Binding> {}');
  });
});

describe('an accessor', () => {
  it.each<{ of: string; given: Partial<Resource>; want: readonly string[] }>([
    {
      of: 'a namespaced kind',
      given: {},
      want: ['foos(namespace: string): FooClient;', 'foos(): AllNamespaces<Foo, FooList>;'],
    },
    {
      of: 'a kind that is listed',
      given: { verbs: ['get', 'list'] },
      want: ['foos(namespace: string): FooClient;', 'foos(): List<Foo, FooList>;'],
    },
    {
      of: 'a kind that is watched',
      given: { verbs: ['get', 'watch'], selectableFields: ['spec.a'] },
      want: ['foos(namespace: string): FooClient;', 'foos(): Watch<Foo, FooSelectableField>;'],
    },
    {
      of: 'a virtual kind',
      given: { verbs: ['get', 'list'], stored: false },
      want: ['foos(namespace: string): FooClient;', 'foos(): ListVirtual<Foo, FooList>;'],
    },
    {
      of: 'a kind that is created only',
      given: { verbs: ['create'], stored: false },
      want: ['foos(namespace: string): FooClient;'],
    },
    { of: 'a kind of the cluster', given: { scope: 'Cluster' }, want: ['foos(): FooClient;'] },
  ])('of $of', ({ given, want }) => {
    const lines = index(resource('Foo', given)).split('\n');
    expect(lines.map((line) => line.trim()).filter((line) => /^foos\((?!options)/.test(line))).toEqual(want);
  });
});

describe('requirements of list and watch', () => {
  const names = ['FooLister', 'FooInformer', 'FooWatchEvent', 'watchFoos', 'MyV1Informers'];

  it.each<{ verbs: Resource['verbs']; want: readonly string[] }>([
    { verbs: ['list', 'watch'], want: names },
    { verbs: ['get', 'list'], want: [] },
    { verbs: ['get', 'watch'], want: [] },
    { verbs: ['create'], want: [] },
  ])('for $verbs: $want', ({ verbs, want }) => {
    const files = printed(
      model(groupVersion('my.domain', 'v1', { resources: [resource('Foo', { verbs })] })),
    );
    const exported = names.filter((name) =>
      new RegExp(`export \\w+ ${name}\\b`).test(files('my.domain/v1/index.ts')),
    );
    expect(exported).toEqual(want);
    expect(files('informers.ts').includes('readonly myV1: MyV1Informers;')).toBe(want.length > 0);
    expect(files('clientset.ts')).toContain('readonly myV1: MyV1Client;');
  });

  it('imports no lister without informers', () => {
    const files = printed(model(groupVersion('my.domain', 'v1', { resources: [resource('Foo')] })), {
      informers: false,
    });
    expect(files('my.domain/v1/index.ts')).not.toMatch(/Lister|Informer/);
  });

  it('is absent from informers even if another kind of the group version has it', () => {
    const resources = [resource('Foo'), resource('Review', { verbs: ['create'], stored: false })];
    const files = printed(model(groupVersion('my.domain', 'v1', { resources })));
    expect(files('informers.ts')).toContain('groupInformers(this, { foos })');
    expect(files('clientset.ts')).toContain('groupClient(this.rest, { foos, reviews })');
  });
});
