/** `Exec`, `Attach`, `PortForward`, `Log` and `Cp`: streams of Pods. */
import { ts } from 'ts-morph';
import { visitAll } from '../../rewriting.ts';
import { initializerOf, isNothing, literalOf, type Members } from '../calls/parameters.ts';
import type { Conversion } from '../state/conversion.ts';
import { bare, classOf, exportOf } from '../state/library.ts';
import { optionNames } from '../tables/methods.ts';
import { callbackLines, type StatementCall, statementCall, withoutType } from './statements.ts';
import { controllerLines, controllerOf } from './watches.ts';

interface StreamCall extends StatementCall {
  readonly owner: ts.Expression;
  readonly method: string;
  readonly className: string;
  /** Statement of the call. */
  readonly place: ts.Node;
}

/** Converts a statement with `exec.exec(…)`, `attach.attach(…)`, `forward.portForward(…)` or `log.log(…)`. */
export function convertStream(conversion: Conversion, node: ts.Node): string | undefined {
  const found = statementCall(conversion, node);
  if (found === undefined || !ts.isPropertyAccessExpression(found.call.expression)) return undefined;
  const { expression: owner, name } = found.call.expression;
  const className = classOf(conversion, owner) ?? '';
  const call: StreamCall = { ...found, owner, method: name.text, className, place: node };
  const key = `${className}.${name.text}`;
  if (key === 'Exec.exec' || key === 'Attach.attach') return convertSession(conversion, call);
  if (className === 'PortForward') return convertForward(conversion, call);
  return key === 'Log.log' ? convertLog(conversion, call) : undefined;
}

/** Reports streams that are not statements of their own, and converts copies. */
export function convertCopy(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: owner, name } = node.expression;
  const className = classOf(conversion, owner) ?? '';
  if (/^(Exec|Attach|PortForward|Log)$/.test(className))
    conversion.report(node, `${name.text} cannot be converted here: call it in a statement of its own`);
  if (className !== 'Cp') return undefined;
  const [namespace, pod, container, from, to] = node.arguments.map((each) => conversion.render(each));
  const tool = conversion.use('@kgen/runtime/streams', name.text === 'cpToPod' ? 'copyTo' : 'copyFrom');
  const options = literalOf(conversion, new Map([['container', container ?? "''"]]), node);
  if (node.arguments.length > 5) conversion.report(node, 'copies have no working folder: use absolute paths');
  return `${tool}(${podsOf(conversion, owner, namespace)}, ${pod}, ${from}, ${to}, ${options})`;
}

const podsOf = (conversion: Conversion, owner: ts.Expression, namespace: string | undefined): string =>
  `${conversion.render(owner)}.coreV1.pods(${namespace ?? ''})`;

function convertSession(conversion: Conversion, call: StreamCall): string | undefined {
  const { className, owner, place } = call;
  const isExec = className === 'Exec';
  const [namespace, pod, container, ...others] = call.call.arguments;
  const command = isExec ? others.shift() : undefined;
  const [stdout, stderr, stdin, tty, ...last] = others;
  const status = isExec ? last.shift() : undefined;
  const queue = last.shift();
  if (namespace === undefined || pod === undefined || call.callback !== undefined) return undefined;
  const hasTerminal = tty !== undefined && conversion.render(tty) === 'true';
  const members: Members = new Map();
  if (command !== undefined) members.set('command', conversion.moved(command, place));
  if (container !== undefined && !isNothing(container))
    members.set('container', conversion.render(container));
  if (!isNothing(stdin)) members.set('stdin', 'true');
  if (isNothing(stdout)) members.set('stdout', 'false');
  if (isNothing(stderr) && !hasTerminal) members.set('stderr', 'false');
  if (hasTerminal) members.set('tty', 'true');
  else if (tty !== undefined && !/^false$/.test(tty.getText())) members.set('tty', conversion.render(tty));
  const name = call.result ?? conversion.fresh('session', place);
  const lines = [
    ...(isNothing(stdin) || stdin === undefined
      ? []
      : [`${streamText(conversion, stdin)}.pipe(${name}.stdin);`]),
    ...(isNothing(stdout) || stdout === undefined
      ? []
      : [`${name}.stdout.pipe(${streamText(conversion, stdout)});`]),
    ...(isNothing(stderr) || stderr === undefined || hasTerminal
      ? []
      : [`${name}.stderr.pipe(${streamText(conversion, stderr)});`]),
    ...resizeLines(conversion, queue, name),
    ...(status === undefined || isNothing(status)
      ? []
      : [`${name}.exit.then(${exitCallback(conversion, status, place)});`]),
  ];
  const pods = podsOf(conversion, owner, conversion.render(namespace));
  const created = `${pods}.${call.method}(${conversion.render(pod)}, `;
  const options = literalOf(conversion, members, place, `const ${name} = await ${created}`);
  conversion.note(call.call, `${className} is ${call.method} of the client of Pods`);
  return sessionText(conversion, call, name, `${created}${options})`, lines);
}

/** Returns the statements: the session is awaited, or its streams are connected in `then`. */
function sessionText(
  conversion: Conversion,
  { target, isAwaitable, place }: StreamCall,
  name: string,
  created: string,
  lines: readonly string[],
): string {
  if (isAwaitable) {
    conversion.after(lines);
    return `${target === '' ? `const ${name} = ` : target}await ${created};`;
  }
  const indent = conversion.indentOf(place);
  const inner = lines.map((line) => `${indent}${conversion.unit}${line}\n`).join('');
  return `${target}${created}.then((${name}) => {\n${inner}${indent}});`;
}

/** Returns a stream without a type assertion. */
const streamText = (conversion: Conversion, node: ts.Expression): string => {
  const value = bare(node);
  return conversion.render(value);
};

/** The callback of a status receives the exit of the process. */
function exitCallback(conversion: Conversion, node: ts.Expression, place: ts.Node): string {
  const isFunction = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  const [parameter] = isFunction ? node.parameters : [];
  if (parameter === undefined || !ts.isIdentifier(parameter.name)) return conversion.moved(node, place);
  const symbol = conversion.symbolOf(parameter.name);
  visitAll(node, (each) => {
    if (!ts.isPropertyAccessExpression(each) || conversion.symbolOf(each.expression) !== symbol) return;
    if (!/^(message)$/.test(each.name.text) && !isSuccessTest(each))
      conversion.report(each, `${each.name.text} of a status: processes have code, signal and reason`);
  });
  withoutType(conversion, node);
  return conversion.moved(node, place);
}

/** Returns whether a node is the member of `status.status === 'Success'`. */
function isSuccessTest(node: ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  return (
    node.name.text === 'status' &&
    ts.isBinaryExpression(parent) &&
    /^['"](Success|Failure)['"]$/.test(parent.right.getText())
  );
}

/** Converts the members of a status in the callback of a session. */
export function convertStatus(conversion: Conversion, node: ts.Node): string | undefined {
  const access = ts.isBinaryExpression(node) ? node.left : node;
  if (!ts.isPropertyAccessExpression(access) || !isStatusParameter(conversion, access.expression))
    return undefined;
  const own = conversion.render(access.expression);
  if (access === node) return access.name.text === 'message' ? `${own}.reason` : undefined;
  if (!ts.isBinaryExpression(node) || !isSuccessTest(access)) return undefined;
  const isEqual = /^={2,3}$/.test(node.operatorToken.getText());
  const isSuccess = node.right.getText().includes('Success');
  return `${own}.code ${isEqual === isSuccess ? '===' : '!=='} 0`;
}

function isStatusParameter(conversion: Conversion, node: ts.Expression): boolean {
  if (!ts.isIdentifier(node)) return false;
  const declaration = conversion.symbolOf(node)?.valueDeclaration;
  if (declaration === undefined || !ts.isParameter(declaration)) return false;
  const call = declaration.parent.parent;
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return false;
  return (
    call.arguments[8] === declaration.parent && classOf(conversion, call.expression.expression) === 'Exec'
  );
}

/** Sizes of a terminal are set on the session: statements with the queue follow its creation. */
function resizeLines(
  conversion: Conversion,
  queue: ts.Expression | undefined,
  session: string,
): readonly string[] {
  const symbol = queue && conversion.symbolOf(queue);
  return symbol === undefined
    ? []
    : (queues.get(symbol) ?? []).map((statement) => withQueue(conversion, statement, symbol, session));
}

function withQueue(conversion: Conversion, node: ts.Statement, symbol: ts.Symbol, session: string): string {
  conversion.replaced.set(symbol, session);
  conversion.dropped.delete(node);
  const text = conversion.render(node);
  conversion.dropped.add(node);
  return text;
}

/** Statements that use a queue of terminal sizes, before it is passed to a session. */
const queues = new WeakMap<ts.Symbol, readonly ts.Statement[]>();

/** Finds queues of terminal sizes that are passed to one session. */
export function planQueues(conversion: Conversion): void {
  visitAll(conversion.source, (node) => {
    if (!ts.isVariableDeclaration(node) || node.initializer === undefined) return;
    const made = bare(node.initializer);
    if (!ts.isNewExpression(made) || exportOf(conversion, made.expression) !== 'TerminalSizeQueue') return;
    const [symbol, own] = [conversion.symbolOf(node.name), ts.findAncestor(node, ts.isStatement)];
    if (symbol === undefined || own === undefined) return;
    const users = new Set<ts.Statement>();
    visitAll(own.parent, (each) => {
      if (!ts.isIdentifier(each) || each === node.name || conversion.symbolOf(each) !== symbol) return;
      const isArgument = ts.isCallExpression(each.parent) && each.parent.arguments.includes(each);
      const user = ts.findAncestor(
        each,
        (one): one is ts.Statement => one.parent === own.parent && ts.isStatement(one),
      );
      if (user !== undefined && !isArgument) users.add(user);
    });
    queues.set(symbol, [...users]);
    for (const each of [own, ...users]) conversion.dropped.add(each);
  });
}

function convertForward(conversion: Conversion, call: StreamCall): string | undefined {
  const [namespace, target, ports, output, error, input] = call.call.arguments;
  const kind = /^portForward(Service|Deployment|)$/.exec(call.method)?.[1];
  const [port, ...more] = ports && ts.isArrayLiteralExpression(ports) ? ports.elements : [];
  if (kind === undefined || namespace === undefined || target === undefined) return undefined;
  if (port === undefined || more.length > 0 || output === undefined || input === undefined) return undefined;
  if (!isNothing(error))
    conversion.report(call.call, 'connections have no stream of errors: they fail with an error');
  const name = call.result ?? conversion.fresh('connection', call.place);
  const named = conversion.render(target);
  const text = kind === '' ? named : `{ ${kind.toLowerCase()}: ${named} }`;
  const created = `${podsOf(conversion, call.owner, conversion.render(namespace))}.portForwardStream(${text}, ${conversion.render(port)})`;
  const lines = connectionLines(
    conversion,
    name,
    streamText(conversion, output),
    streamText(conversion, input),
  );
  conversion.note(call.call, `${call.method} is portForwardStream of the client of Pods`);
  return sessionText(conversion, call, name, created, lines);
}

function connectionLines(
  conversion: Conversion,
  name: string,
  output: string,
  input: string,
): readonly string[] {
  if (output !== input) return [`${name}.pipe(${output});`, `${input}.pipe(${name});`];
  const pipeline = conversion.use('node:stream/promises', 'pipeline');
  return [`pipeline(${input}, ${name}, ${output}).catch(() => undefined);`.replace('pipeline', pipeline)];
}

function convertLog(conversion: Conversion, call: StreamCall): string | undefined {
  const [namespace, pod, container, stream, ...rest] = call.call.arguments;
  const value = (node: ts.Expression) =>
    ts.isIdentifier(node) ? (initializerOf(conversion, node) ?? node) : node;
  const given = rest.find((each) => ts.isObjectLiteralExpression(value(each)));
  const done = rest.find((each) => each !== given && !isNothing(each));
  if (namespace === undefined || pod === undefined || stream === undefined) return undefined;
  const members: Members = new Map([['as', "'bytes'"]]);
  if (container !== undefined && !/^(''|"")$/.test(container.getText()))
    members.set('container', conversion.render(container));
  if (given !== undefined) logOptions(conversion, value(given), members);
  const controller = controllerOf(conversion, call.place, call);
  if (controller !== undefined) {
    conversion.before(controllerLines(controller, call.target));
    members.set('signal', `${controller}.signal`);
  }
  const pods = podsOf(conversion, call.owner, conversion.render(namespace));
  const start = `${pods}.streamLog(${conversion.render(pod)}, `;
  const log = `${start}${literalOf(conversion, members, call.place, `pipeline(${start}`)})`;
  const sink = conversion.render(stream);
  const keepsOpen = /^process\.std(out|err)$/.test(sink) ? ', { end: false }' : '';
  const end =
    done === undefined
      ? '.catch(console.error)'
      : `.then(() => undefined, (error) => error).then(${conversion.moved(done, call.place)})`;
  conversion.after(callbackLines(conversion, call, call.place));
  conversion.note(call.call, 'Log is streamLog of the client of Pods');
  return `${conversion.use('node:stream/promises', 'pipeline')}(${log}, ${sink}${keepsOpen})${end};`;
}

function logOptions(conversion: Conversion, node: ts.Expression, members: Members): void {
  if (!ts.isObjectLiteralExpression(node)) return;
  for (const member of node.properties) {
    const name = member.name?.getText() ?? '';
    const text = ts.isPropertyAssignment(member) ? conversion.render(member.initializer) : name;
    const option = optionNames.get(name);
    if (option !== undefined && text !== 'false') members.set(option, text);
    else if (option === undefined && name !== 'pretty')
      conversion.report(member, `${name || 'this option'} of logs has no equivalent`);
  }
}
