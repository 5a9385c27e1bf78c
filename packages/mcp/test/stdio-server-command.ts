import { fileURLToPath } from "node:url";

/** How the clients' stdio transports start the server of stdio-server.mjs. */
export const STDIO_SERVER = {
  command: process.execPath,
  args: [fileURLToPath(new URL("./stdio-server.mjs", import.meta.url))],
};
