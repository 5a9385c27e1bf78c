import type { server } from "typescript";

/** What TypeScript's server calls: the compiler's diagnostics in the editor. */
declare const init: server.PluginModuleFactory;
export = init;
