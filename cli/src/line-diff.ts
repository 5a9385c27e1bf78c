/** The lines that differ between two texts, between a common head and tail. */
const MAX_LINES = 40;

export function lineDiff(before: string, after: string): string {
  const old = before.split("\n");
  const now = after.split("\n");
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const removed = old.slice(head, old.length - tail).map((line) => `-${line}`);
  const added = now.slice(head, now.length - tail).map((line) => `+${line}`);
  const lines = [...removed, ...added];
  const shown = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) shown.push(`(${lines.length - MAX_LINES} more lines)`);
  return [`@@ line ${head + 1} @@`, ...shown].join("\n");
}
