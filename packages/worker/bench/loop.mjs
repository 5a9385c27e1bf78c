/**
 * Time per turn of an agent loop with a no-op tool on a mocked model: tsukumo's worker and what else is installed here
 * (`npm install --prefix packages/worker/bench`). Build first. `--turns 100,1000`, `--runs 5`.
 */
import { parseArgs } from "node:util";

const SUBJECTS = ["tsukumo", "ai-sdk", "openai-agents", "langchain"];
/** Turns on each side of a place in the loop whose time is averaged there. */
const WINDOW = 10;

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "100,1000" },
    runs: { type: "string", default: "5" },
  },
});

const rows = [];
for (const turns of values.turns.split(",").map(Number)) {
  for (const subject of SUBJECTS) {
    const module = await import(`./subjects/${subject}.mjs`).catch((error) => {
      if (error.code === "ERR_MODULE_NOT_FOUND") return undefined;
      throw error;
    });
    if (module === undefined) {
      console.error(`${subject} is not installed: npm install --prefix packages/worker/bench`);
      continue;
    }
    rows.push({ subject, turns, ...(await measure(module.run, turns, Number(values.runs))) });
  }
}
report(rows);

/** Microseconds a turn: of the whole loop, around turn 10, and around the last turn; the median of the runs. */
async function measure(run, turns, runs) {
  await run(Math.min(turns, 100), () => undefined);
  const samples = [];
  for (let n = 0; n < runs; n++) {
    globalThis.gc?.();
    const at = [];
    const start = performance.now();
    await run(turns, () => at.push(performance.now()));
    const perTurn = ((performance.now() - start) * 1000) / (turns + 1);
    const between = (from, to) => ((at[to] - at[from]) * 1000) / (to - from);
    samples.push({ perTurn, early: between(0, 2 * WINDOW), late: between(turns - 2 * WINDOW, turns) });
  }
  const median = (key) => samples.map((sample) => sample[key]).sort((a, b) => a - b)[Math.floor(runs / 2)];
  return { perTurn: median("perTurn"), early: median("early"), late: median("late") };
}

function report(rows) {
  console.log(`Microseconds a turn, median of ${values.runs} runs; in brackets, times tsukumo.\n`);
  console.log("| subject | turns | a turn | turn 10 | last turn | last / turn 10 |\n|---|--:|--:|--:|--:|--:|");
  for (const { subject, turns, perTurn, early, late } of rows) {
    const own = rows.find((row) => row.subject === "tsukumo" && row.turns === turns);
    const times = own === undefined ? "" : ` (${(perTurn / own.perTurn).toFixed(1)})`;
    console.log(
      `| ${subject} | ${turns} | ${us(perTurn)}${times} | ${us(early)} | ${us(late)} | ${(late / early).toFixed(2)} |`,
    );
  }
}

function us(microseconds) {
  return microseconds.toLocaleString("en", { maximumFractionDigits: 1 });
}
