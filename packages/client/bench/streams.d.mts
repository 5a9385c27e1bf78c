/** The streams of the benchmark, by scheme: an answer of so many words. */
export const STREAMS: Readonly<
  Record<"anthropic" | "openai-chat" | "openai-responses" | "gemini" | "ollama", (words: number) => string>
>;
