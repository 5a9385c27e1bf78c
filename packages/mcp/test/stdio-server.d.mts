import type { McpServer } from "@tsukumo/mcp";

export function countingServer(): McpServer;
