/** Program `kgen-testserver`. */
import module from 'node:module';
import { helpText, parseServeArguments } from './arguments.ts';

// seam: Node.js 22.8 and later have the function; it never throws
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

main().catch((cause: unknown) => {
  const detail = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  process.stderr.write(`kgen-testserver: internal error: ${detail}\n`);
  process.exitCode = 3;
});

async function main(): Promise<void> {
  const parsed = parseServeArguments(process.argv.slice(2));
  if (parsed.kind === 'help') {
    process.stdout.write(helpText);
    return;
  }
  if (parsed.kind === 'invalid') {
    process.stderr.write(`error: ${parsed.problem}\n(kgen-testserver --help lists the options)\n`);
    process.exitCode = 2;
    return;
  }
  const { serve } = await import('./serve.ts');
  process.exitCode = await serve(parsed.value, {
    cwd: process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    onSignal(handle) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => handle());
    },
  });
}
