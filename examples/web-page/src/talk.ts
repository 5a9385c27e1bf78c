/** The conversation as elements of the page: a run's events in, text and tool calls out. */
import type { WorkerEvent } from "@tsukumo/worker";

interface Card {
  readonly element: HTMLElement;
  readonly code: HTMLElement;
}

export class Talk {
  readonly #place: HTMLElement;
  readonly #cards = new Map<string, Card>();
  #text: HTMLElement | undefined;
  #atEnd = true;

  constructor(place: HTMLElement) {
    this.#place = place;
    // The page follows what is written, but leaves those alone who scrolled up to read.
    addEventListener("scroll", () => {
      this.#atEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 50;
    });
  }

  /** A paragraph of the user's, or about the run. Text is never read as HTML. */
  say(kind: "user" | "problem", text: string): void {
    this.#add(kind).textContent = text;
  }

  show(event: WorkerEvent): void {
    this.#show(event);
    if (this.#atEnd) scrollTo(0, document.documentElement.scrollHeight);
  }

  #show(event: WorkerEvent): void {
    switch (event.type) {
      case "text_start":
        this.#text = this.#add("answer");
        break;
      case "text_delta":
        this.#text?.append(event.text);
        break;
      case "tool_call_start":
        this.#cards.set(event.callId, this.#card(event.name));
        break;
      case "tool_call_delta":
        // The arguments as far as the model has written them.
        this.#write(event.callId, event.partial);
        break;
      case "tool_call_complete":
        this.#write(event.call.callId, JSON.parse(event.call.arguments || "{}"));
        break;
      case "tool_start":
        this.#mark(event.call.callId, "running");
        break;
      case "tool_result":
        this.#mark(event.call.callId, event.result.isError ? "failed" : "done", event.result.content);
        break;
      case "block_abort":
        this.say("problem", "The answer broke off.");
        break;
      case "retry":
        this.say("problem", "No answer yet. Trying again …");
        break;
    }
  }

  #card(name: string): Card {
    const element = this.#add("tool");
    element.dataset.state = "writing";
    const title = document.createElement("strong");
    title.textContent = name;
    const code = document.createElement("code");
    element.append(title, code);
    return { element, code };
  }

  #write(callId: string, value: unknown): void {
    this.#cards.get(callId)?.code.replaceChildren(JSON.stringify(value, null, 1));
  }

  #mark(callId: string, state: string, result?: string): void {
    const element = this.#cards.get(callId)?.element;
    if (element === undefined) return;
    element.dataset.state = state;
    if (result === undefined) return;
    const output = document.createElement("output");
    output.textContent = result;
    element.append(output);
  }

  #add(kind: string): HTMLElement {
    const element = document.createElement("div");
    element.className = kind;
    this.#place.append(element);
    return element;
  }
}
