/**
 * Time per turn of an agent loop with a no-op tool on a mocked model: tsukumo's worker and what else is installed here
 * (`npm install --prefix packages/worker/bench`). Build first. `--json` for programs, `--turns 100,1000`, `--runs 5`.
 */
import { parseArgs } from "node:util";

const SUBJECTS = ["tsukumo", "ai-sdk", "openai-agents", "langchain"];
/** Turns on each side of a place in the loop whose time is averaged there. */
const WINDOW = 10;

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "100,1000" },
    runs: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
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
      if (!values.json) console.log(`${subject} is not installed: npm install --prefix packages/worker/bench`);
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
  if (values.json) {
    console.log(JSON.stringify(rows));
    return;
  }
  for (const turns of new Set(rows.map((row) => row.turns))) {
    console.log(`\n${turns} turns, µs a turn (median of ${values.runs} runs)`);
    const group = rows.filter((row) => row.turns === turns);
    const own = group.find((row) => row.subject === "tsukumo");
    for (const { subject, perTurn, early, late } of group) {
      const times = own === undefined ? "" : `${(perTurn / own.perTurn).toFixed(1)}x`;
      console.log(
        `${subject.padEnd(14)} ${perTurn.toFixed(1).padStart(9)}  turn 10: ${early.toFixed(1).padStart(9)}` +
          `  turn ${turns}: ${late.toFixed(1).padStart(9)}  (${(late / early).toFixed(2)}x)  ${times}`,
      );
    }
  }
}
