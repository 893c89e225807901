import type { TestingCommands } from 'kgen/commands';

/** Commands of `kgen` that run operators: `kgen` loads them from the project of the operator. */
export const commands: TestingCommands = {
  simulate: async (parsed, console, progress) => {
    const { simulateCommand } = await import('./simulate.ts');
    return simulateCommand(parsed, console, progress);
  },
  replay: async (parsed, console) => {
    const { replayCommand } = await import('./replay.ts');
    return replayCommand(parsed, console);
  },
  dev: async (cwd, console, ports) => {
    const { startDevCluster } = await import('./dev.ts');
    return startDevCluster(cwd, console, ports);
  },
  operator: async (main, options) => {
    const { operatorProcess } = await import('./operator-process.ts');
    return operatorProcess(main, options);
  },
  samples: async (cwd) => {
    const { AppliedSamples } = await import('./dev-config.ts');
    return new AppliedSamples(cwd);
  },
};
