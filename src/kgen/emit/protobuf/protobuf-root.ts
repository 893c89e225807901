/** The output's `protobuf.ts`: decodes and encodes objects without a client. */
import type { CodecPlan } from '../../protobuf/types.ts';
import type { EmitOptions } from '../options.ts';
import { comment } from '../text/docs.ts';
import { quoted } from '../text/literals.ts';
import { Module } from '../text/module.ts';
import { extension, protobufSpecifier, runtimeSpecifier } from '../text/paths.ts';
import type { ProtobufValue } from '../text/symbols.ts';
import { protobufModule } from './protobuf-file.ts';

/** Returns the module that lists the codecs of all kinds and loads them on demand. */
export function protobufRootModule(plan: CodecPlan, options: EmitOptions): Module {
  const module = new Module(runtimeSpecifier(options, 0), ['decode', 'encode', 'modules']);
  const door = protobufSpecifier(options, 0);
  const use = (name: ProtobufValue): string => module.value(door, name, name);
  declareModules(module, plan, options);
  const object = module.runtimeType('KubernetesObject');
  declareFunction(module, {
    docs: decodeDocs,
    name: 'decode',
    parameter: { name: 'bytes', type: 'Uint8Array' },
    result: object,
    call: use('decodeObject'),
  });
  declareFunction(module, {
    docs: encodeDocs,
    // The parameter type is not `KubernetesObject`, because object literals would fail the excess property
    // check.
    name: 'encode',
    generic: `<T extends ${object}>`,
    parameter: { name: 'object', type: 'T' },
    result: 'Uint8Array',
    call: use('encodeObject'),
  });
  return module;
}

const decodeDocs: readonly string[] = [
  'Decodes an object in the form that API servers send and etcd stores: `k8s`, a zero byte, and an envelope with apiVersion and kind. Returns the object that parsing its JSON would return. If the kind is known, cast the result: `await decode(bytes) as Secret`.',
  'etcd stores custom resources, CustomResourceDefinitions and APIServices as JSON, which begins with `{`. Use `JSON.parse` for these.',
  'Unknown fields are kept with the message that contains them, and `encode` writes them again, unless that part of the object is replaced by a copy.',
  'Rejects with a DecodeError that names kind, field and offset if the bytes are malformed, or if apiVersion and kind have no codec in this output.',
];

const encodeDocs: readonly string[] = [
  'Encodes `object` with its envelope, byte for byte as Go does. `decode` is the inverse.',
  'Rejects with a TypeError that names the field if a member is unknown or has an invalid value, or if apiVersion and kind have no codec in this output. No member is dropped silently.',
];

/** Declares the loaders of the codecs, by group version. */
function declareModules(module: Module, { homes }: CodecPlan, options: EmitOptions): void {
  const entries = homes.flatMap(({ home, kinds: [first] }) =>
    first === undefined
      ? []
      : [
          `  [${quoted(first.apiVersion)}, () => import(${quoted(`./${home}/protobuf${extension(options)}`)})],\n`,
        ],
  );
  const load = module.runtimeType('LoadProtobuf');
  const map = (types: string): string => `/* @__PURE__ */ new Map${types}([\n${entries.join('')}]);\n`;
  const docs = comment(['Loaders of codecs, by apiVersion.'], [], '');
  module.add({
    ts: `${docs}const modules: ReadonlyMap<string, ${load}> = ${map(`<string, ${load}>`)}`,
    dts: '',
    js: `const modules = ${map('')}`,
  });
}

interface AsyncFunction {
  readonly docs: readonly string[];
  readonly name: string;
  /** Type parameters, with their brackets. */
  readonly generic?: string;
  readonly parameter: { readonly name: string; readonly type: string };
  /** The type that the returned promise resolves to. */
  readonly result: string;
  /** The function of the runtime that is called with the modules as an additional argument. */
  readonly call: string;
}

function declareFunction(module: Module, declared: AsyncFunction): void {
  const { docs, name, generic = '', parameter, result, call } = declared;
  const text = comment(docs, [], '');
  const typed = `function ${name}${generic}(${parameter.name}: ${parameter.type}): Promise<${result}>`;
  const body = `{\n  return ${call}(${parameter.name}, modules);\n}\n`;
  module.add({
    ts: `${text}export ${typed} ${body}`,
    dts: `${text}export declare ${typed};\n`,
    js: `export function ${name}(${parameter.name}) ${body}`,
  });
}

/**
 * Returns the codec modules by path without extension: one for each folder with codecs, and one for the root.
 * Returns an empty map if no kind has a codec.
 */
export function protobufModules(plan: CodecPlan, options: EmitOptions): ReadonlyMap<string, Module> {
  if (plan.homes.length === 0) return new Map();
  const modules = plan.homes.map(
    (home) => [`${home.home}/protobuf`, protobufModule(home, plan, options)] as const,
  );
  return new Map([...modules, ['protobuf', protobufRootModule(plan, options)]]);
}
