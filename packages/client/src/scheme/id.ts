/** Ids for tool calls that a provider sends without one: unique in any history. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "")}`;
}
