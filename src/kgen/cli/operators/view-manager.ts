/** `kgen view --manager`: an operator in a cluster, while it runs. */
import { resolve } from 'node:path';
import { explained, Refusal, refusalText, Unavailable } from '../../cluster/refusal.ts';
import { error, visible } from '../../common/problems.ts';
import { Cluster } from '../../project/cluster/cluster.ts';
import { type ManagerRecording, ManagerSource } from '../../project/local/manager-source.ts';
import { documentIn } from '../../view/opened.ts';
import { livePage, pageOf } from '../../view/page.ts';
import { servePage } from '../../view/server.ts';
import type { Console } from '../console.ts';
import { exitCodes } from '../exit.ts';
import { problemLines } from '../lines.ts';
import { serveUntilSignal, writeForOwner } from './page-output.ts';
import type { NamedManager, ViewArguments } from './view-arguments.ts';

/** Serves the page until a signal, or writes it. Returns the exit status. */
export async function viewManager(
  parsed: ViewArguments & { readonly manager: NamedManager },
  console: Console,
): Promise<number> {
  const { cwd, stdout } = console;
  const print = (line: string): void => stdout.write(`${visible(line)}\n`);
  const kubeconfig = parsed.kubeconfig === undefined ? undefined : resolve(cwd, parsed.kubeconfig);
  let cluster: Cluster | undefined;
  let source: ManagerSource | undefined;
  try {
    cluster = await Cluster.open({ context: parsed.context, kubeconfig }, print);
    const namespace = parsed.namespace ?? (cluster.rest.namespace || 'default');
    const { manager, port, serviceAccount } = parsed;
    source = new ManagerSource(cluster, { target: { ...manager, namespace }, port, serviceAccount, print });
    const first = await source.read('');
    if ('problem' in first) return refuse(first.problem, console);
    if (parsed.out === undefined) await serve(source, first, console);
    else {
      writeForOwner(resolve(cwd, parsed.out), pageOf(documentIn(first.text)));
      print(`wrote ${parsed.out}`);
    }
    return exitCodes.ok;
  } catch (cause) {
    const why = explained(await import('@kgen/runtime'), cause, '/');
    if (!(why instanceof Refusal || why instanceof Unavailable)) throw why;
    return refuse(refusalText(why), console);
  } finally {
    source?.close();
    await cluster?.close();
  }
}

async function serve(source: ManagerSource, begin: ManagerRecording, console: Console): Promise<void> {
  let first: ManagerRecording | undefined = begin;
  const operator = async (after: string): Promise<ManagerRecording> => {
    const known = after === '' ? first : undefined;
    first = undefined;
    return known ?? source.read(after);
  };
  await serveUntilSignal(await servePage(livePage(), { sources: { operator } }), console);
}

function refuse(problem: string, { stderr }: Console): number {
  stderr.write(problemLines([error(problem)], stderr.paint));
  return exitCodes.problems;
}
