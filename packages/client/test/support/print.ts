/** Events in one line each, so that tables stay readable. */
import type { Event } from "../../src/index.js";

export function print(events: readonly Event[]): string[] {
  return events.map((event) => {
    switch (event.type) {
      case "ping":
        return "ping";
      case "usage":
        return `usage ${JSON.stringify(event.usage)}`;
      case "status":
        return event.status;
      case "error":
        return `error ${event.code ?? "-"}: ${event.message}`;
      case "block_start":
        return `start ${event.index} ${Object.values(event.block).join(" ")}`;
      case "block_delta":
        return `${event.index} ${event.delta.type} ${event.delta.text}`;
      case "block_stop":
        return [
          `stop ${event.index}`,
          ...(event.stopReason === undefined ? [] : [event.stopReason]),
          ...(event.reasoning === undefined ? [] : [JSON.stringify(event.reasoning)]),
        ].join(" ");
      case "block_abort":
        return `abort ${event.index} ${event.reason}`;
      case "unhandled":
        return `unhandled ${event.name}`;
    }
  });
}
