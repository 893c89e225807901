/**
 * Public API of a generated output, read from its declarations by the compiler: at run time a class has more
 * members.
 */
import ts from 'typescript';
import { compilerOptions } from '../support/checker.ts';
import { repository } from '../support/emitted.ts';

/** Method of a client, with all its overloads. */
export interface Method {
  readonly name: string;
  /** Names in declared order, without `options`. */
  readonly parameters: readonly string[];
  readonly takesOptions: 'no' | 'optional' | 'required';
  /** Names of options, without those of every request. */
  readonly options: readonly string[];
  /** Values of the option `type`, if the type of the body depends on it. */
  readonly patchTypes: readonly string[];
}

/** Client that an accessor returns. */
export interface Client {
  /** `coreV1.pods(namespace)`. */
  readonly name: string;
  /** Property of the clientset. */
  readonly groupVersion: string;
  readonly accessor: string;
  readonly takesNamespace: boolean;
  readonly methods: readonly Method[];
}

/** Descriptor of a subresource for connections. */
export interface Connection {
  /** Folder of the group version. */
  readonly folder: string;
  readonly name: string;
  readonly options: readonly string[];
}

/** Public API of an output. */
export interface OutputApi {
  readonly clients: readonly Client[];
  readonly connections: readonly Connection[];
}

/** Options of every request, callbacks for the caller, and those that shape results. */
const common: ReadonlySet<string> = new Set([
  'signal',
  'timeoutMs',
  'headers',
  'impersonate',
  'onRetry',
  'select',
  'maxResponseBytes',
]);

/** Reads the output in `folder`, whose relative imports end in `.js` or `.ts`. */
export function outputApiOf(folder: string): OutputApi {
  const root = `${folder}/index.ts`;
  const program = ts.createProgram({ rootNames: [root], options: optionsOf() });
  const reader = new Reader(program.getTypeChecker());
  const clientset = reader.exportsOf(program.getSourceFile(root)).get('Clientset');
  if (clientset === undefined) throw new Error(`${root} exports no Clientset`);
  const modules = program
    .getSourceFiles()
    .filter(
      ({ fileName }) => fileName.startsWith(`${folder}/`) && /\/[^/]+\/[^/]+\/index\.ts$/.test(fileName),
    );
  return {
    clients: reader.clientsOf(clientset),
    connections: modules.flatMap((file) => {
      const below = file.fileName.slice(folder.length + 1, -'/index.ts'.length);
      return reader.connectionsOf(file, below);
    }),
  };
}

function optionsOf(): ts.CompilerOptions {
  const source = (path: string): string[] => [`${repository}src/runtime/${path}`];
  return {
    ...compilerOptions(repository),
    allowImportingTsExtensions: true,
    paths: {
      '@kgen/runtime/gen/v1': source('exports/gen/v1.ts'),
      '@kgen/runtime': source('exports/index.ts'),
    },
  };
}

class Reader {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  exportsOf(file: ts.SourceFile | undefined): ReadonlyMap<string, ts.Symbol> {
    const module = file && this.#checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : this.#checker.getExportsOfModule(module);
    return new Map(symbols.map((symbol) => [symbol.name, this.#target(symbol)]));
  }

  #target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  /**
   * Returns the clients. Properties that the class itself declares are group versions; `rest` and `close` are
   * inherited.
   */
  clientsOf(clientset: ts.Symbol): readonly Client[] {
    const declared = this.#checker.getDeclaredTypeOfSymbol(clientset).getProperties();
    const own = declared.filter(
      ({ valueDeclaration }) => valueDeclaration?.parent === clientset.valueDeclaration,
    );
    return own.flatMap((groupVersion) =>
      this.#typeOf(groupVersion)
        .getProperties()
        .flatMap((accessor) => this.#clientsOf(groupVersion.name, accessor)),
    );
  }

  #clientsOf(groupVersion: string, accessor: ts.Symbol): readonly Client[] {
    return this.#typeOf(accessor)
      .getCallSignatures()
      .map((signature) => ({
        name: `${groupVersion}.${accessor.name}(${signature.parameters.map(({ name }) => name).join(', ')})`,
        groupVersion,
        accessor: accessor.name,
        takesNamespace: signature.parameters.length > 0,
        methods: signature
          .getReturnType()
          .getProperties()
          .map((method) => this.#methodOf(method)),
      }));
  }

  #methodOf(method: ts.Symbol): Method {
    const signatures = this.#typeOf(method).getCallSignatures();
    const names = signatures.flatMap(({ parameters }) => parameters.map(({ name }) => name));
    const options = signatures.flatMap(({ parameters }) =>
      parameters.filter(({ name }) => name === 'options'),
    );
    const mayBeLeftOut = signatures.some(({ parameters }) =>
      parameters.every((one) => this.#isOptional(one)),
    );
    const takesOptions = mayBeLeftOut ? 'optional' : 'required';
    return {
      name: method.name,
      parameters: [...new Set(names)].filter((name) => name !== 'options'),
      takesOptions: options.length === 0 ? 'no' : takesOptions,
      options: [...new Set(options.flatMap((option) => this.#membersOf(this.#typeOf(option))))],
      patchTypes: [...new Set(signatures.flatMap((signature) => this.#patchTypesOf(signature)))],
    };
  }

  /** Returns true if a parameter can be omitted and is not `options`. */
  #isOptional({ name, valueDeclaration }: ts.Symbol): boolean {
    if (name !== 'options' || valueDeclaration === undefined) return true;
    return ts.isParameter(valueDeclaration) && this.#checker.isOptionalParameter(valueDeclaration);
  }

  #patchTypesOf({ typeParameters = [] }: ts.Signature): readonly string[] {
    return typeParameters
      .filter(({ symbol }) => symbol.name === 'Type')
      .flatMap((parameter) => {
        const constraint = parameter.getConstraint();
        const members = constraint?.isUnion() ? constraint.types : [];
        return members.flatMap((type) => (type.isStringLiteral() ? [type.value] : []));
      });
  }

  connectionsOf(file: ts.SourceFile, folder: string): readonly Connection[] {
    return [...this.exportsOf(file)].flatMap(([name, symbol]) => {
      if (!(symbol.flags & ts.SymbolFlags.Variable)) return [];
      const type = this.#typeOf(symbol);
      const [options] = type.aliasTypeArguments ?? this.#checker.getTypeArguments(type as ts.TypeReference); // seam: a type with arguments is a reference
      if (type.symbol?.name !== 'ConnectResource' || options === undefined) return [];
      return [{ folder, name, options: this.#membersOf(options) }];
    });
  }

  #membersOf(type: ts.Type): readonly string[] {
    const present = this.#checker.getNonNullableType(type);
    return (
      this.#checker
        .getPropertiesOfType(present)
        // `undefined` declares that an option is not supported.
        .filter((option) => (this.#typeOf(option).flags & ts.TypeFlags.Undefined) === 0)
        .map(({ name }) => name)
        .filter((name) => !common.has(name) && name !== 'type')
    );
  }

  #typeOf(symbol: ts.Symbol): ts.Type {
    return this.#checker.getTypeOfSymbol(symbol);
  }
}
