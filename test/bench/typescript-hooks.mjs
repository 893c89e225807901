// Lets Node.js run the sources of generated clients.
import { registerHooks } from 'node:module';

// Generated clients import their schemas when they are needed, as the JavaScript that they are compiled to.
registerHooks({
  resolve: (specifier, context, next) => {
    const isGenerated = context.parentURL?.includes('/generated/crds/') && specifier.startsWith('.');
    return next(isGenerated ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
