/** @see https://ai.google.dev/api/caching#FunctionDeclaration */
import { toDialect } from "../dialect/index.js";
import { type Adapter, type PlainObject, plain } from "./types.js";

/** One entry of `config.tools`. */
export interface GeminiTool {
  functionDeclarations: { name: string; description: string; parametersJsonSchema: PlainObject }[];
}

/** An entry of `response.functionCalls`. */
export interface GeminiFunctionCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A part of the user's next content. */
export interface GeminiFunctionResponse {
  functionResponse: { id?: string; name: string; response: { output: string } | { error: string } };
}

export const gemini: Adapter<GeminiTool[], GeminiFunctionCall, GeminiFunctionResponse> = {
  definitions: (registry) => {
    const functionDeclarations = registry.definitions().map(({ name, description, inputSchema }) => ({
      name,
      description,
      parametersJsonSchema: plain(toDialect(inputSchema, "gemini").schema),
    }));
    // A tool without functions is an error there.
    return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
  },
  call: ({ id, name, args }) => ({ ...(id === undefined ? {} : { id }), name: name ?? "", arguments: args }),
  result: (outcome) => ({
    functionResponse: {
      ...(outcome.id === undefined ? {} : { id: outcome.id }),
      name: outcome.name,
      response: outcome.status === "done" ? { output: outcome.output.content } : { error: outcome.error.message },
    },
  }),
};
