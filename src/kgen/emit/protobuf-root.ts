/** The output's `protobuf.ts`: decodes and encodes objects without a client. */
import type { CodecPlan } from '../protobuf/types.ts';
import { comment } from './docs.ts';
import { quoted } from './literals.ts';
import { Module } from './module.ts';
import type { EmitOptions } from './options.ts';
import { extension, protobufSpecifier, runtimeSpecifier } from './paths.ts';
import type { ProtobufValue } from './symbols.ts';

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
    answer: object,
    call: use('decodeObject'),
  });
  declareFunction(module, {
    docs: encodeDocs,
    // The parameter type is not `KubernetesObject`, because object literals would fail the excess property
    // check.
    name: 'encode',
    generic: `<T extends ${object}>`,
    parameter: { name: 'object', type: 'T' },
    answer: 'Uint8Array',
    call: use('encodeObject'),
  });
  return module;
}

const decodeDocs: readonly string[] = [
  'The object in `bytes`, as the API server sends it and as etcd holds it: `k8s`, a zero byte, and an envelope that names apiVersion and kind. It has the members that JSON of the same object has. Where the kind is known, say which: `await decode(bytes) as Secret`.',
  'etcd holds custom resources, CustomResourceDefinitions and APIServices as JSON: those begin with `{`, and are not for this function.',
  'Fields that the codecs do not know are kept with the part of the object that they belong to, and `encode` writes them again, as long as that part is not replaced by a copy.',
  'Rejects with a DecodeError, which names kind, field and offset, where the bytes are no such object, and where its apiVersion or kind has no codec in this output.',
];

const encodeDocs: readonly string[] = [
  'The bytes of `object`, with the envelope around them, as Go writes them: what `decode` takes.',
  'Rejects with a TypeError, which names the field, where a member is unknown to the codecs or has a value that its field cannot hold, and where apiVersion or kind have no codec in this output: nothing is left out silently.',
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
  const docs = comment(['What loads the codecs of an apiVersion.'], [], '');
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
  readonly answer: string;
  /** The function of the runtime that is called with the modules as an additional argument. */
  readonly call: string;
}

function declareFunction(module: Module, declared: AsyncFunction): void {
  const { docs, name, generic = '', parameter, answer, call } = declared;
  const text = comment(docs, [], '');
  const typed = `function ${name}${generic}(${parameter.name}: ${parameter.type}): Promise<${answer}>`;
  const body = `{\n  return ${call}(${parameter.name}, modules);\n}\n`;
  module.add({
    ts: `${text}export ${typed} ${body}`,
    dts: `${text}export declare ${typed};\n`,
    js: `export function ${name}(${parameter.name}) ${body}`,
  });
}
