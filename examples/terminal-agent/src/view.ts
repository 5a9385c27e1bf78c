/** What a run looks like in the terminal. */
import type { WorkerSubscriber } from "@tsukumo/worker";

const LONGEST = 200;

/** Callbacks come while the stream is read, so that text shows as it arrives and before any question. */
export function view(write: (text: string) => void): WorkerSubscriber {
  return {
    onTextBlock: (_, part) => {
      if (part.type === "delta") write(part.text);
    },
    onTextComplete: () => write("\n"),
    onToolCallComplete: ({ name, arguments: json }) => write(`→ ${name} ${json || "{}"}\n`),
    onToolResult: ({ name }, { content, isError }) => write(`${isError ? "✗" : "✓"} ${name}: ${shorten(content)}\n`),
    onRetry: ({ delayMs }) => write(`(no answer; trying again in ${Math.round(delayMs / 1000)} s)\n`),
    onWarning: ({ message }) => write(`(${message})\n`),
  };
}

function shorten(text: string): string {
  const line = text.replaceAll("\n", "⏎");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
