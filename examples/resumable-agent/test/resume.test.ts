/** The program is killed with SIGKILL and started again until it ends by itself, against a scripted model over HTTP. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { type RecordedRequest, ReplayServer } from "@tsukumo/testing";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { build, Child } from "../../child.js";

const EXAMPLE = "resumable-agent";
const EACH_ONCE = [
  ["Aoki", 12_000],
  ["Baba", 8_400],
  ["Chiba", 31_000],
  ["Doi", 5_600],
];

/** A moment at which the program is to be killed. */
type Moment = (child: Child) => Promise<unknown>;

let folder = "";
let database = "";
let model: ReplayServer;
const children: Child[] = [];

beforeAll(() => build(EXAMPLE));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "resumable-agent-"));
  database = join(folder, "agent.sqlite");
  const { answer }: { answer: (request: RecordedRequest) => string } = await import(
    new URL("../scripted-model.mjs", import.meta.url).href
  );
  model = await ReplayServer.start({ scheme: "anthropic", turns: answer, chunkSize: 100, delayMs: 10 });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill();
  await model.close();
  rmSync(folder, { recursive: true });
});

function start(): Child {
  const env = { DATABASE: database, MODEL: "test", ANTHROPIC_BASE_URL: model.url, MAIL_MS: "100" };
  const child = new Child(EXAMPLE, ["dist/main.js"], env, "");
  children.push(child);
  return child;
}

function rows(sql: string): unknown[] {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

function said(pattern: RegExp): Moment {
  return (child) => child.told(pattern);
}

/** The invoice is sent, and the program does not know yet. */
function sent(customer: string): Moment {
  return () =>
    expect
      .poll(() => rows(`SELECT 1 FROM sent WHERE customer = '${customer}'`), { interval: 5, timeout: 20_000 })
      .not.toEqual([]);
}

const MOMENTS: [string, Moment[]][] = [
  ["while the model writes", [said(/Who/)]],
  ["before the first tool has told", [said(/✓ \[/)]],
  ["before an invoice is sent", [said(/→ sendInvoice \{"customer":"Baba"/)]],
  ["when an invoice is sent and its result is not written", [sent("Chiba")]],
  ["while the model answers after the tools", [said(/✓ Sent Doi/)]],
  ["three times", [said(/→ sendInvoice/), sent("Baba"), said(/I look/)]],
  ["while it sends again what was in doubt", [said(/→ sendInvoice \{"customer":"Baba"/), said(/I send 1/)]],
];

describe("killed", () => {
  it.each(MOMENTS)("%s, it goes on and sends each invoice once", async (_, moments) => {
    for (const moment of moments) {
      const child = start();
      await moment(child);
      child.kill("SIGKILL");
      expect(await child.exited).toBeNull();
    }
    const last = start();
    expect(await last.exited).toBe(0);
    expect(last.output).toContain("Going on with december");
    expect(last.output).toMatch(/invoices are sent.*\n\[finished\]\n$/);
    expect(rows("SELECT customer, yen FROM sent ORDER BY customer").map((row) => Object.values(Object(row)))).toEqual(
      EACH_ONCE,
    );
    expect(startsOfInvoices()).toEqual([]);
    expect(model.errors).toEqual([]);
  });
});

/** Calls of sendInvoice that the journal says were started more than once. */
function startsOfInvoices(): unknown[] {
  return rows(`
    SELECT entry ->> 'callId' AS call, count(*) AS starts FROM journal
    WHERE entry ->> 'type' = 'call' AND entry ->> '$.state.stage' = 'started' AND entry ->> '$.state.call.name' = 'sendInvoice'
    GROUP BY call HAVING starts > 1`);
}

it("asks nothing of the model when the session is finished", async () => {
  const first = start();
  expect(await first.exited).toBe(0);
  const asked = model.requests.length;
  const second = start();
  expect(await second.exited).toBe(0);
  expect(second.output).toMatch(/Going on with december.*\n\[finished\]\n$/);
  expect(model.requests).toHaveLength(asked);
});

it("lets no second process go on with it at the same time", async () => {
  const first = start();
  await first.told(/→ sendInvoice/);
  const second = start();
  expect(await second.exited).toBe(1);
  expect(second.output).toContain("database is locked");
  expect(await first.exited).toBe(0);
  expect(rows("SELECT count(*) AS n FROM sent")).toEqual([expect.objectContaining({ n: 4 })]);
});
