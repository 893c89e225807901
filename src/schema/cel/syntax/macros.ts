/** Macros of CEL and of the extensions that Kubernetes enables. */
import { type CallExpr, type ComprehensionExpr, copyOf, type Expr, type MapExpr } from './ast.ts';
import type { Issue } from './issues.ts';

/** Expands a call, or reports arguments with which it cannot be expanded. */
export type Macro = (at: number, target: Expr | undefined, args: readonly Expr[]) => Expr | Issue;

/** Name of the accumulator, which no expression can contain. */
export const accumulator = '@result';

/** Returns the macro with this name, number of arguments and target. */
export function macroFor(name: string, count: number, hasTarget: boolean): Macro | undefined {
  return hasTarget ? receiverMacros.get(`${name}:${count}`) : name === 'has' && count === 1 ? has : undefined;
}

const has: Macro = (at, _target, [arg]) =>
  arg?.kind === 'select'
    ? { ...arg, at, isTest: true }
    : { at: arg?.at ?? at, message: 'invalid argument to has() macro' };

/** Creates the nodes of an expansion, all at the position of the call. */
class Nodes {
  readonly at: number;

  constructor(at: number) {
    this.at = at;
  }

  literal(value: boolean | bigint): Expr {
    return { kind: 'literal', at: this.at, value };
  }

  ident(name: string): Expr {
    return { kind: 'ident', at: this.at, name };
  }

  accu(): Expr {
    return this.ident(accumulator);
  }

  list(...elements: readonly Expr[]): Expr {
    return { kind: 'list', at: this.at, elements, optionals: new Set() };
  }

  map(): MapExpr {
    return { kind: 'map', at: this.at, entries: [] };
  }

  call(name: string, ...args: readonly Expr[]): CallExpr {
    return { kind: 'call', at: this.at, name, target: undefined, args };
  }

  memberCall(name: string, target: Expr, ...args: readonly Expr[]): CallExpr {
    return { kind: 'call', at: this.at, name, target, args };
  }

  /** Returns `step` for the elements that satisfy `filter`, otherwise the accumulator. */
  filtered(filter: Expr | undefined, step: Expr): Expr {
    return filter === undefined ? step : this.call('_?_:_', filter, step, this.accu());
  }
}

/** Parts of a loop that differ between macros. */
interface Loop {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

type Body = (nodes: Nodes, args: readonly Expr[], vars: readonly string[]) => Loop;

const all: Body = (nodes, args) => ({
  init: nodes.literal(true),
  condition: nodes.call('@not_strictly_false', nodes.accu()),
  step: nodes.call('_&&_', nodes.accu(), last(args, nodes)),
  result: nodes.accu(),
});

const exists: Body = (nodes, args) => ({
  init: nodes.literal(false),
  condition: nodes.call('@not_strictly_false', nodes.call('!_', nodes.accu())),
  step: nodes.call('_||_', nodes.accu(), last(args, nodes)),
  result: nodes.accu(),
});

const existsOne: Body = (nodes, args) => ({
  init: nodes.literal(0n),
  condition: nodes.literal(true),
  step: nodes.call(
    '_?_:_',
    last(args, nodes),
    nodes.call('_+_', nodes.accu(), nodes.literal(1n)),
    nodes.accu(),
  ),
  result: nodes.call('_==_', nodes.accu(), nodes.literal(1n)),
});

function last(args: readonly Expr[], nodes: Nodes): Expr {
  return args.at(-1) ?? nodes.accu();
}

/** @param args the transformation, or a filter and the transformation */
const mapList: Body = (nodes, args) => ({
  init: nodes.list(),
  condition: nodes.literal(true),
  step: nodes.filtered(
    args.length > 1 ? args[0] : undefined,
    nodes.call('_+_', nodes.accu(), nodes.list(last(args, nodes))),
  ),
  result: nodes.accu(),
});

const filter: Body = (nodes, args, [name = '']) => ({
  init: nodes.list(),
  condition: nodes.literal(true),
  step: nodes.filtered(args[0], nodes.call('_+_', nodes.accu(), nodes.list(nodes.ident(name)))),
  result: nodes.accu(),
});

const transformMap: Body = (nodes, args, [key = '']) =>
  toMap(nodes, args, nodes.call('cel.@mapInsert', nodes.accu(), nodes.ident(key), last(args, nodes)));

const transformMapEntry: Body = (nodes, args) =>
  toMap(nodes, args, nodes.call('cel.@mapInsert', nodes.accu(), last(args, nodes)));

function toMap(nodes: Nodes, args: readonly Expr[], insert: Expr): Loop {
  return {
    init: nodes.map(),
    condition: nodes.literal(true),
    step: nodes.filtered(args.length > 1 ? args[0] : undefined, insert),
    result: nodes.accu(),
  };
}

const sortBy: Macro = (at, target, args) => {
  const nodes = new Nodes(at);
  const name = '@__sortBy_input__';
  if (target === undefined || target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct')
    return {
      at: target?.at ?? at,
      message: 'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    };
  const keys = oneVarMap(at, nodes.ident(name), args);
  if (!('kind' in keys)) return keys;
  return bind(nodes, name, target, nodes.memberCall('@sortByAssociatedKeys', nodes.ident(name), keys));
};

/** Binds a name to a value for one expression, as a loop without elements. */
function bind(nodes: Nodes, name: string, value: Expr, result: Expr): ComprehensionExpr {
  return {
    ...comprehension(nodes, nodes.list(), '#unused', undefined, {
      init: value,
      condition: nodes.literal(false),
      step: nodes.ident(name),
      result,
    }),
    accuVar: name,
  };
}

function comprehension(
  { at }: Nodes,
  range: Expr,
  iterVar: string,
  iterVar2: string | undefined,
  { init, condition, step, result }: Loop,
): ComprehensionExpr {
  return {
    kind: 'comprehension',
    at,
    range,
    iterVar,
    iterVar2,
    accuVar: accumulator,
    accuInit: init,
    condition,
    step,
    result,
  };
}

const simpleName = 'argument must be a simple name';
const identifier = 'argument is not an identifier';
const oneVarMap = loopMacro(1, identifier, mapList);

/** @param size number of iteration variables, which are the first arguments */
function loopMacro(size: 1 | 2, notName: string, body: Body): Macro {
  return (at, target, args) => {
    const names = args.slice(0, size).map((arg) => (arg.kind === 'ident' ? arg.name : undefined));
    const wrong = names.indexOf(undefined);
    const [first = '', second] = names;
    if (wrong >= 0) return { at: args[wrong]?.at ?? at, message: notName };
    if (first === second) return { at: args[1]?.at ?? at, message: `duplicate variable name: ${first}` };
    const reserved = names.findIndex((name) => name === '__result__' || name === accumulator);
    if (reserved >= 0)
      return {
        at: args[reserved]?.at ?? at,
        message: 'iteration variable overwrites accumulator variable',
      };
    const nodes = new Nodes(at);
    const loop = body(nodes, args.slice(size), [first, second ?? '']);
    return comprehension(nodes, target ?? nodes.accu(), first, second, loop);
  };
}

const receiverMacros: ReadonlyMap<string, Macro> = new Map([
  ['all:2', loopMacro(1, simpleName, all)],
  ['exists:2', loopMacro(1, simpleName, exists)],
  ['exists_one:2', loopMacro(1, simpleName, existsOne)],
  ['existsOne:2', loopMacro(1, simpleName, existsOne)],
  ['map:2', oneVarMap],
  ['map:3', oneVarMap],
  ['filter:2', loopMacro(1, identifier, filter)],
  ['all:3', loopMacro(2, simpleName, all)],
  ['exists:3', loopMacro(2, simpleName, exists)],
  ['existsOne:3', loopMacro(2, simpleName, existsOne)],
  ['exists_one:3', loopMacro(2, simpleName, existsOne)],
  ['transformList:3', loopMacro(2, simpleName, mapList)],
  ['transformList:4', loopMacro(2, simpleName, mapList)],
  ['transformMap:3', loopMacro(2, simpleName, transformMap)],
  ['transformMap:4', loopMacro(2, simpleName, transformMap)],
  ['transformMapEntry:3', loopMacro(2, simpleName, transformMapEntry)],
  ['transformMapEntry:4', loopMacro(2, simpleName, transformMapEntry)],
  ['optMap:2', optionalMacro('optMap', (nodes, result) => nodes.call('optional.of', result))],
  ['optFlatMap:2', optionalMacro('optFlatMap', (_nodes, result) => result)],
  ['sortBy:2', sortBy],
]);

/** @param wrap returns the optional value of the result */
function optionalMacro(name: string, wrap: (nodes: Nodes, result: Expr) => Expr): Macro {
  return (at, target, [variable, result]) => {
    const nodes = new Nodes(at);
    if (variable?.kind !== 'ident' || target === undefined || result === undefined)
      return { at: variable?.at ?? at, message: `${name}() variable name must be a simple identifier` };
    const value = nodes.memberCall('value', copyOf(target));
    return nodes.call(
      '_?_:_',
      nodes.memberCall('hasValue', target),
      wrap(nodes, bind(nodes, variable.name, value, result)),
      nodes.call('optional.none'),
    );
  };
}
