/** For scripted models: what they were told. They answer by that alone, so that a run that was cut off can go on. */

/**
 * What happened since the last prompt of a request to Anthropic's API.
 * @param {import("@tsukumo/testing").RecordedRequest} request
 */
export function sceneOf({ json: { messages } }) {
  const blocks = messages.flatMap(({ role, content }) =>
    (typeof content === "string" ? [{ type: "text", text: content }] : content).map((block) => ({ role, ...block })),
  );
  const isPrompt = ({ role, type }) => role === "user" && type === "text";
  const number = blocks.filter(isPrompt).length;
  const id = (name) => `${name}_${number}`;
  return {
    /** The call's id in this scene; a conversation may have several. */
    id,
    prompt: blocks.findLast(isPrompt).text,
    /** The text that the call gave, once it has given one. */
    result(name) {
      const block = blocks.find(({ type, tool_use_id }) => type === "tool_result" && tool_use_id === id(name));
      return block === undefined ? undefined : textOf(block.content);
    },
  };
}

function textOf(content) {
  return typeof content === "string" ? content : content.map(({ text }) => text ?? "").join("");
}
