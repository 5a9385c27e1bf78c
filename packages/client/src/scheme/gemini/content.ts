/** The parts of Gemini's content: what each becomes, and what it gives back on its stop. */
import type { Block } from "../../event.js";
import type { ReasoningData } from "../../item.js";
import type { JsonObject } from "../../json.js";
import { asArray, asObject, asText } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";
import { RunningBlock } from "../running-block.js";
import { PartialArguments } from "./partial-arguments.js";

export const SCHEME = "gemini";

interface Call {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: string;
  readonly signed: boolean;
}

/** A call whose arguments still arrive in pieces. */
interface PartialCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: PartialArguments;
  signature: string | undefined;
}

export class GeminiContent {
  readonly #response: ResponseWriter;
  readonly #newId: () => string;
  readonly #calls: Call[] = [];
  readonly #running: RunningBlock;
  #signature: string | undefined;
  #partial: PartialCall | undefined;
  /** The id of the last piece of code that the provider ran. */
  #codeId = "";

  constructor(response: ResponseWriter, newId: () => string) {
    this.#response = response;
    this.#newId = newId;
    this.#running = new RunningBlock(response, () => this.#takeSignature());
  }

  get called(): boolean {
    return this.#calls.length > 0;
  }

  /** False for a part that is not known. */
  part(part: JsonObject): boolean {
    const signature = asText(part.thoughtSignature);
    if (typeof part.text === "string") {
      this.#text(part.thought === true ? "thinking" : "text", part.text, signature);
      return true;
    }
    const call = asObject(part.functionCall);
    if (call !== undefined) {
      this.#call(call, signature);
      return true;
    }
    const block = this.#serverBlock(part);
    if (block !== undefined) this.#whole(block, { scheme: SCHEME, extra: { part } });
    return block !== undefined;
  }

  say(kind: "text" | "thinking", text: string): void {
    this.#running.say(kind, text);
  }

  close(): void {
    this.#running.close();
    const partial = this.#partial;
    if (partial !== undefined) this.#finishPartial(partial);
  }

  /** A signature belongs to the end of its part: the next text must not be put into the same one. */
  #text(kind: "text" | "thinking", text: string, signature: string | undefined): void {
    this.say(kind, text);
    if (signature === undefined) return;
    this.#running.ensure(kind);
    this.#signature = signature;
    this.#running.close();
  }

  #takeSignature(): ReasoningData | undefined {
    const signature = this.#signature;
    this.#signature = undefined;
    return signature === undefined ? undefined : { scheme: SCHEME, signature };
  }

  #call(call: JsonObject, signature: string | undefined): void {
    this.#running.close();
    const id = asText(call.id);
    const name = asText(call.name);
    const pieces = asArray(call.partialArgs);
    if (pieces !== undefined || call.willContinue === true || (name === undefined && this.#partial !== undefined)) {
      this.#partial ??= { id, name: name ?? "", args: new PartialArguments(asObject(call.args)), signature };
      this.#partial.signature ??= signature;
      this.#partial.args.take(pieces ?? []);
      if (call.willContinue !== true) this.#finishPartial(this.#partial);
      return;
    }
    this.#wholeCall(id, name ?? "", JSON.stringify(asObject(call.args) ?? {}), signature);
  }

  #finishPartial(partial: PartialCall): void {
    this.#partial = undefined;
    this.#wholeCall(partial.id, partial.name, JSON.stringify(partial.args.value), partial.signature);
  }

  #wholeCall(id: string | undefined, name: string, args: string, signature: string | undefined): void {
    if (this.#isRepeated(id, name, args, signature)) return;
    this.#calls.push({ id, name, args, signed: signature !== undefined });
    const index = this.#response.open({ type: "tool_use", id: id ?? this.#newId(), name });
    this.#response.delta(index, "input_json", args);
    const data: ReasoningData = {
      scheme: SCHEME,
      ...(id === undefined ? {} : { id }),
      ...(signature === undefined ? {} : { signature }),
    };
    this.#response.stop(index, id === undefined && signature === undefined ? undefined : data);
  }

  /** A later chunk may repeat a signed call without its signature. */
  #isRepeated(id: string | undefined, name: string, args: string, signature: string | undefined): boolean {
    return this.#calls.some((call) => {
      if (call.name !== name || call.args !== args || call.id !== id) return false;
      return id !== undefined || (call.signed && signature === undefined);
    });
  }

  /** What the provider did itself, and media that it made: repeated in the next request exactly as it came. */
  #serverBlock(part: JsonObject): Block | undefined {
    if (part.executableCode !== undefined) {
      this.#codeId = this.#newId();
      return { type: "server_tool_use", id: this.#codeId, name: "code_execution" };
    }
    if (part.codeExecutionResult !== undefined)
      return { type: "tool_result", toolUseId: this.#codeId, name: "code_execution" };
    const call = asObject(part.toolCall);
    if (call !== undefined) return { type: "server_tool_use", id: asText(call.id) ?? "", name: nameOf(call) };
    const result = asObject(part.toolResponse) ?? asObject(part.functionResponse);
    if (result !== undefined) return { type: "tool_result", toolUseId: asText(result.id) ?? "", name: nameOf(result) };
    return part.inlineData !== undefined || part.fileData !== undefined ? { type: "thinking" } : undefined;
  }

  #whole(block: Block, data: ReasoningData): void {
    this.#running.close();
    this.#response.stop(this.#response.open(block), data);
  }
}

function nameOf(call: JsonObject): string {
  return asText(call.name) ?? asText(call.toolType) ?? "";
}
