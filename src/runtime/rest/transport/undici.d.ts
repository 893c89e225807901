/**
 * Modules of undici, of which a release is pinned. Its main module also loads fetch, WebSockets and caches,
 * which take several megabytes of memory in each process.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
