/**
 * The parts of a TypeScript compiler that reading of types needs, so that compilers with different interfaces
 * can be used. Types and symbols are opaque; syntax trees of all compilers have equal shapes.
 */
import type { ts } from 'ts-morph';

/** A type of the compiler. Equal types are identical. */
export interface TypeHandle {
  readonly compilerType: never;
}

/** A symbol of the compiler. Equal symbols are identical. */
export interface SymbolHandle {
  readonly compilerSymbol: never;
}

/** Kind of a type, as far as schemas depend on it. */
export type TypeClass =
  | 'any'
  | 'unknown'
  | 'never'
  | 'null'
  | 'undefined'
  | 'string'
  | 'number'
  | 'boolean'
  | 'bigint'
  | 'literal'
  | 'template'
  | 'union'
  | 'intersection'
  | 'object'
  | 'other';

/** The flags of types by which compilers tell them apart. Names are equal, numbers are not. */
export type FlagNumbers = Readonly<
  Record<
    | 'Any'
    | 'BigInt'
    | 'BigIntLiteral'
    | 'Boolean'
    | 'BooleanLiteral'
    | 'Intersection'
    | 'Never'
    | 'Null'
    | 'Number'
    | 'NumberLiteral'
    | 'Object'
    | 'String'
    | 'StringLiteral'
    | 'TemplateLiteral'
    | 'Undefined'
    | 'Union'
    | 'Unknown'
    | 'Void',
    number
  >
>;

/** Returns a function that classifies the flags of types. */
export function typeClasses(flag: FlagNumbers): (flags: number) => TypeClass {
  const literals = flag.StringLiteral | flag.NumberLiteral | flag.BooleanLiteral | flag.BigIntLiteral;
  const classes: readonly (readonly [mask: number, kind: TypeClass])[] = [
    [flag.Any, 'any'],
    [flag.Unknown, 'unknown'],
    [flag.Never, 'never'],
    [flag.Null, 'null'],
    [flag.Undefined | flag.Void, 'undefined'],
    [flag.Boolean, 'boolean'],
    [flag.Union, 'union'],
    [literals, 'literal'],
    [flag.String, 'string'],
    [flag.Number, 'number'],
    [flag.BigInt, 'bigint'],
    [flag.TemplateLiteral, 'template'],
    [flag.Intersection, 'intersection'],
    [flag.Object, 'object'],
  ];
  return (flags) => classes.find(([mask]) => (flags & mask) !== 0)?.[1] ?? 'other';
}

/** Kind of an object type. */
export type ObjectClass = 'array' | 'tuple' | 'function' | 'plain';

/** The predicates on syntax trees that are used. */
export type Syntax = Pick<
  typeof ts,
  | 'isArrayLiteralExpression'
  | 'isArrayTypeNode'
  | 'isAsExpression'
  | 'isCallExpression'
  | 'isEnumDeclaration'
  | 'isExportAssignment'
  | 'isExpressionWithTypeArguments'
  | 'isIdentifier'
  | 'isInterfaceDeclaration'
  | 'isIntersectionTypeNode'
  | 'isLiteralTypeNode'
  | 'isMappedTypeNode'
  | 'isNoSubstitutionTemplateLiteral'
  | 'isNumericLiteral'
  | 'isObjectLiteralExpression'
  | 'isParenthesizedExpression'
  | 'isParenthesizedTypeNode'
  | 'isPrefixUnaryExpression'
  | 'isPropertyAccessExpression'
  | 'isPropertyAssignment'
  | 'isSatisfiesExpression'
  | 'isShorthandPropertyAssignment'
  | 'isSpreadAssignment'
  | 'isStringLiteral'
  | 'isTemplateExpression'
  | 'isTypeAliasDeclaration'
  | 'isTypeLiteralNode'
  | 'isTypeOperatorNode'
  | 'isTypeParameterDeclaration'
  | 'isTypeReferenceNode'
  | 'isUnionTypeNode'
  | 'isVariableDeclaration'
>;

/** A place in a file. */
export interface NodePlace {
  /** Absolute path. */
  readonly file: string;
  /** Offsets, in UTF-16 units: of the first token, and of the comments before it. */
  readonly start: number;
  readonly fullStart: number;
}

/** Access to types. */
export interface CompilerTypes {
  readonly typeOfNode: (node: ts.TypeNode) => TypeHandle;
  readonly typeOfSymbol: (symbol: SymbolHandle) => TypeHandle;
  readonly classOf: (type: TypeHandle) => TypeClass;
  /** Returns the class of an `object`. */
  readonly objectClassOf: (type: TypeHandle) => ObjectClass;
  readonly literalOf: (type: TypeHandle) => string | number | boolean | bigint;
  /** Returns the members of a union or an intersection. */
  readonly membersOf: (type: TypeHandle) => readonly TypeHandle[];
  /** Returns the type arguments, such as the items of an array. */
  readonly argumentsOf: (type: TypeHandle) => readonly TypeHandle[];
  /** Returns the literal parts and the types of a template: `${number}Mi`. */
  readonly templateOf: (type: TypeHandle) => {
    readonly texts: readonly string[];
    readonly types: readonly TypeHandle[];
  };
  readonly propertiesOf: (type: TypeHandle) => readonly SymbolHandle[];
  /** Returns the index signatures: type of the keys and of the values. */
  readonly indexesOf: (type: TypeHandle) => readonly (readonly [keys: TypeHandle, values: TypeHandle])[];
  readonly symbolOf: (type: TypeHandle) => SymbolHandle | undefined;
  readonly aliasOf: (type: TypeHandle) => SymbolHandle | undefined;
  /** Returns the type in TypeScript, for messages. */
  readonly printType: (type: TypeHandle) => string;
}

/** Access to symbols. */
export interface CompilerSymbols {
  readonly nameOf: (symbol: SymbolHandle) => string;
  readonly isOptional: (symbol: SymbolHandle) => boolean;
  readonly declarationsOf: (symbol: SymbolHandle) => readonly ts.Node[];
  /** Returns the symbol that a name or an entity refers to, behind imports. */
  readonly symbolAt: (node: ts.Node) => SymbolHandle | undefined;
}

/** A program of one compiler. */
export interface Compiler extends CompilerTypes, CompilerSymbols {
  readonly syntax: Syntax;
  /** Returns the statements of a file; `undefined` if the program does not contain it. */
  readonly statementsOf: (file: string) => readonly ts.Node[] | undefined;
  /** Returns the text of a file of the program. */
  readonly textOf: (file: string) => string;
  readonly placeOf: (node: ts.Node) => NodePlace;
  /** Errors of syntax and types in a file: position and message. */
  readonly errorsIn: (file: string) => readonly { readonly start: number; readonly message: string }[];
}
