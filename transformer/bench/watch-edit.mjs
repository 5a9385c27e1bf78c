/** Starts `gen --watch`, edits a source a few times and prints the median of how long the module took to follow. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [cli, project] = process.argv.slice(2);
const source = join(project, "src/tools7.ts");
const child = spawn(process.execPath, [cli, "gen", "src", "--watch"], { cwd: project });
const told = [];
let wake;
child.stderr.setEncoding("utf8").on("data", (text) => {
  told.push(text);
  wake?.();
});
const heard = () =>
  new Promise((resolve) => {
    wake = resolve;
  });

await heard();
const times = [];
for (let i = 0; i < 7; i++) {
  await new Promise((resolve) => setTimeout(resolve, 300));
  const text = readFileSync(source, "utf8").replace(
    /Looks number (\d+)\w* up/,
    (_, n) => `Looks number ${n}${"abcdefgh"[i]} up`,
  );
  const start = performance.now();
  const answer = heard();
  writeFileSync(source, text);
  await answer;
  times.push(performance.now() - start);
}
child.kill("SIGINT");
console.log(times.sort((a, b) => a - b)[3]);
