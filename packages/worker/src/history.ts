/** The conversation. It only grows at its end, unless it is replaced as a whole; items are frozen. */
import type { Item } from "@tsukumo/client";
import { CallLedger } from "./call-ledger.js";
import { WorkerError } from "./errors.js";

export class History {
  #items: Item[] = [];
  #calls = new CallLedger();

  /** The live list: it is never copied, and the one who gets it sees it grow. */
  get items(): readonly Item[] {
    return this.#items;
  }

  get calls(): CallLedger {
    return this.#calls;
  }

  get length(): number {
    return this.#items.length;
  }

  /**
   * All or nothing.
   * @throws {WorkerError} `InvalidHistory` where a provider would refuse the result
   */
  append(items: readonly Item[]): void {
    this.check(items);
    for (const item of items) {
      if (item.type === "function_call") this.calls.open(item);
      else if (item.type === "function_call_output") this.calls.close(item.callId);
      this.#items.push(frozen(item));
    }
  }

  /**
   * How far the calls are that still wait for an output afterwards is kept, so that none is run again.
   * @throws {WorkerError} `InvalidHistory`; then the old history stays
   */
  replace(items: readonly Item[]): void {
    const next = new History();
    next.append(items);
    for (const { item, state } of this.calls.pending()) next.calls.set(item.callId, state);
    this.#items = next.#items;
    this.#calls = next.#calls;
  }

  /** What `append` would say of the items, without changing anything. @throws {WorkerError} `InvalidHistory` */
  check(items: readonly Item[]): void {
    const opened = new Set<string>();
    const closed = new Set<string>();
    for (const item of items) {
      if (!frozenHere.has(item)) requireShape(item);
      switch (item.type) {
        case "function_call":
          if (this.calls.knows(item.callId) || opened.has(item.callId)) {
            throw invalid(`Two calls have the id ${JSON.stringify(item.callId)}. Give each call an id of its own.`);
          }
          opened.add(item.callId);
          break;
        case "function_call_output": {
          const waits = opened.has(item.callId) || this.calls.get(item.callId) !== undefined;
          if (!waits || closed.has(item.callId)) {
            throw invalid(
              `The output for ${JSON.stringify(item.callId)} follows no call that waits for one. Put each output once, after its call.`,
            );
          }
          closed.add(item.callId);
          break;
        }
        case "message":
          if (item.role !== "assistant" && this.calls.size + opened.size > closed.size) {
            throw invalid(
              `A ${item.role} message stands between a call and its output. Add the outputs first, or let the worker run the calls.`,
            );
          }
          break;
        case "reasoning":
          break;
        default:
          // Its type comes from outside: a hook's answer or a file.
          throw invalid(`An item has the type ${JSON.stringify(typeOf(item))}, which no history holds.`);
      }
    }
  }
}

/** Input waits outside the history: what could never enter it would stand before every later run. */
export function requireMessages(items: readonly Item[]): void {
  for (const item of items) {
    if (typeOf(item) !== "message")
      throw invalid(`The input must be a message, and is ${JSON.stringify(typeOf(item))}.`);
    requireShape(item);
    if (item.type === "message" && item.content.every((part) => "text" in part && part.text === ""))
      throw invalid("The input says nothing, which providers refuse. Give it a text.");
  }
}

/** Its fields come from outside, like its type; what a scheme could not read would fail every later request. */
function requireShape(item: Item): void {
  if (item.type === "message") requireParts(item.content, "content");
  else if (item.type === "function_call_output" && typeof item.output !== "string") requireParts(item.output, "output");
}

function requireParts(parts: unknown, field: string): void {
  if (Array.isArray(parts) && parts.every((part) => typeof typeOf(part) === "string" && typeof part === "object"))
    return;
  throw invalid(`The ${field} of an item must be a list of parts, such as { type: "input_text", text: "…" }.`);
}

function typeOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "type" in item ? item.type : item;
}

function invalid(message: string, cause?: unknown): WorkerError {
  return new WorkerError("InvalidHistory", message, cause === undefined ? {} : { cause });
}

/** What was frozen here, through and through; a frozen object of somebody else may hold one that changes. */
const frozenHere = new WeakSet<object>();

/**
 * Items that came from outside are copied, so that nobody's own objects freeze.
 * @throws {WorkerError} `InvalidHistory` where one is not plain JSON
 */
export function frozen(item: Item): Item {
  if (frozenHere.has(item)) return item;
  try {
    return deepFreeze(structuredClone(item));
  } catch (cause) {
    throw invalid("An item is not plain JSON. Leave out functions and objects of classes.", cause);
  }
}

/** Freezes an item that nobody else holds; `History` takes it as it is. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !frozenHere.has(value)) {
    frozenHere.add(value);
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
