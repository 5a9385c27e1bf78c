/** Callbacks are typed to give nothing, but an async function is one too: what it throws comes as a rejection. */

export function onRejection(result: unknown, report: (error: unknown) => void): void {
  if (typeof result !== "object" || result === null || !("then" in result)) return;
  Promise.resolve(result).then(undefined, report);
}
