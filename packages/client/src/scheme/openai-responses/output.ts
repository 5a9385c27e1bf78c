/** The output items of a response: which type becomes what. */
import type { JsonObject } from "../../json.js";
import { asText } from "../../json-readers.js";
import type { ResponseWriter } from "../response-writer.js";
import { CallOutput, OpaqueOutput } from "./call-output.js";
import type { OutputItem } from "./part.js";
import { MessageOutput, ReasoningOutput } from "./text-output.js";

/** `undefined` for a type that is not known. */
export function openItem(item: JsonObject, response: ResponseWriter, newId: () => string): OutputItem | undefined {
  const type = asText(item.type) ?? "";
  switch (type) {
    case "message":
      return new MessageOutput(item, response);
    case "reasoning":
      return new ReasoningOutput(response);
    case "function_call":
    case "custom_tool_call":
      return new CallOutput(response, newId, item);
    // Not shown, but wanted back in the next request.
    case "compaction":
    case "mcp_list_tools":
    case "mcp_approval_request":
      return new OpaqueOutput(item, response, { type: "thinking" });
    default:
      return openServerItem(type, item, response);
  }
}

function openServerItem(type: string, item: JsonObject, response: ResponseWriter): OutputItem | undefined {
  const id = asText(item.call_id) ?? asText(item.id) ?? "";
  if (type.endsWith("_call")) {
    const name = asText(item.name) ?? type.slice(0, -"_call".length);
    return new OpaqueOutput(item, response, { type: "server_tool_use", id, name });
  }
  if (type.endsWith("_output")) {
    return new OpaqueOutput(item, response, {
      type: "tool_result",
      toolUseId: id,
      name: type.slice(0, -"_output".length),
    });
  }
  return undefined;
}
