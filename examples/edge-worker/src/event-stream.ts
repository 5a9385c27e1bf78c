/** A run as server-sent events, for a browser or `curl -N`. */
import { WorkerError, type WorkerEvent } from "@tsukumo/worker";

export function eventStream(run: AsyncIterable<WorkerEvent>): ReadableStream<Uint8Array> {
  const messages = messagesOf(run);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await messages.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

async function* messagesOf(run: AsyncIterable<WorkerEvent>): AsyncGenerator<string, void> {
  try {
    for await (const event of run) {
      if (event.type === "text_delta") yield message("text", event.text);
      else if (event.type === "tool_start")
        yield message("tool", { name: event.call.name, arguments: event.call.arguments });
      else if (event.type === "tool_result")
        yield message("result", { name: event.call.name, isError: event.result.isError });
      else if (event.type === "finished")
        yield message("done", { status: event.result.status, usage: event.result.usage });
    }
  } catch (error) {
    if (error instanceof WorkerError && error.code === "Cancelled") return;
    // Not for the client: it may name the provider and the account.
    console.error(error);
    yield message("error", "The answer failed. Try again.");
  }
}

function message(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
