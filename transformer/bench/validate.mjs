/**
 * The emitted validator against typia's own `validate`, Ajv compiled, zod 4 and valibot, on the same type, valid and
 * invalid input, in one run. The contenders are installed in a temporary folder.
 *
 *   pnpm bench:validate
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./project.mjs";

const folder = mkdtempSync(join(tmpdir(), "tsukumo-validate-"));
try {
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({
      type: "module",
      dependencies: {
        ajv: "8.20.0",
        "ts-patch": "3.3.0",
        typescript: "5.9.3",
        typia: "12.2.1",
        valibot: "1.5.0",
        zod: "4.6.7",
      },
    }),
  );
  must("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--legacy-peer-deps"]);
  mkdirSync(join(folder, "src"));
  mkdirSync(join(folder, "node_modules/@tsukumo"), { recursive: true });
  symlinkSync(join(ROOT, "packages/tool"), join(folder, "node_modules/@tsukumo/tool"));
  symlinkSync(join(ROOT, "transformer"), join(folder, "node_modules/@tsukumo/transformer"));
  writeFileSync(join(folder, "src/order.ts"), ORDER());
  writeFileSync(
    join(folder, "src/typia.ts"),
    'import typia from "typia";\nimport type { Order } from "./order.js";\nexport const validate = typia.createValidateEquals<{ order: Order }>();\nexport const is = typia.createEquals<{ order: Order }>();\n',
  );
  const options = {
    target: "ES2022",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    strict: true,
    skipLibCheck: true,
    types: [],
    rootDir: "src",
    outDir: "dist",
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { ...options, plugins: [{ transform: "typia/lib/transform" }] },
      files: ["src/typia.ts"],
    }),
  );
  writeFileSync(
    join(folder, "tsconfig.tsukumo.json"),
    JSON.stringify({
      compilerOptions: { ...options, plugins: [{ transform: "@tsukumo/transformer" }] },
      files: ["src/order.ts"],
    }),
  );
  must(process.execPath, [join(folder, "node_modules/ts-patch/bin/tspc.js"), "-p", "tsconfig.json"]);
  must(process.execPath, [join(ROOT, "node_modules/ts-patch/bin/tspc.js"), "-p", "tsconfig.tsukumo.json"]);
  writeFileSync(join(folder, "run.mjs"), CONTEST());
  process.stdout.write(must(process.execPath, ["run.mjs"]));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function must(command, args) {
  const done = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(" ")} exited with ${done.status}\n${done.stdout}\n${done.stderr}`);
  return done.stdout;
}

function ORDER() {
  return `export interface Order {
  id: number;
  customer: { name: string; email: string; address?: { street: string; city: string; zip: string } };
  items: { sku: string; count: number; price: number; kind: "book" | "disc" | "game" }[];
  payment: { type: "card"; last4: string } | { type: "invoice"; due: string };
  note: string | null;
  tags: string[];
}
/** Places an order.
 * @tool
 * @param order The order */
export function place(order: Order): string { return String(order.id); }
`;
}

function CONTEST() {
  return `import { Ajv2020 } from "ajv/dist/2020.js";
import { toolDefinition } from "@tsukumo/tool";
import * as v from "valibot";
import { z } from "zod";
import { place } from "./dist/order.js";
import { is as typiaIs, validate as typia } from "./dist/typia.js";

const definition = toolDefinition(place);
const [meta] = definition();
const tool = definition()[1];
const tsukumo = (value) => tool.validate(value);

const ajv = new Ajv2020({ allErrors: true, strict: false }).compile(meta.inputSchema);
const zAddress = z.strictObject({ street: z.string(), city: z.string(), zip: z.string() });
const zOrder = z.strictObject({ order: z.strictObject({
  id: z.number(), customer: z.strictObject({ name: z.string(), email: z.string(), address: zAddress.optional() }),
  items: z.array(z.strictObject({ sku: z.string(), count: z.number(), price: z.number(), kind: z.enum(["book", "disc", "game"]) })),
  payment: z.discriminatedUnion("type", [z.strictObject({ type: z.literal("card"), last4: z.string() }), z.strictObject({ type: z.literal("invoice"), due: z.string() })]),
  note: z.string().nullable(), tags: z.array(z.string()) }) });
const vOrder = v.strictObject({ order: v.strictObject({
  id: v.number(), customer: v.strictObject({ name: v.string(), email: v.string(), address: v.optional(v.strictObject({ street: v.string(), city: v.string(), zip: v.string() })) }),
  items: v.array(v.strictObject({ sku: v.string(), count: v.number(), price: v.number(), kind: v.picklist(["book", "disc", "game"]) })),
  payment: v.variant("type", [v.strictObject({ type: v.literal("card"), last4: v.string() }), v.strictObject({ type: v.literal("invoice"), due: v.string() })]),
  note: v.nullable(v.string()), tags: v.array(v.string()) }) });

const order = (i) => ({ order: { id: i, customer: { name: "Ada", email: "a@b.c", ...(i % 2 ? { address: { street: "s", city: "c", zip: "z" } } : {}) },
  items: Array.from({ length: 8 }, (_, n) => ({ sku: "s" + n, count: n, price: n * 1.5, kind: ["book", "disc", "game"][n % 3] })),
  payment: i % 3 ? { type: "card", last4: "1234" } : { type: "invoice", due: "2024-01-01" }, note: i % 2 ? null : "n", tags: ["a", "b", "c"] } });
const valid = Array.from({ length: 64 }, (_, i) => order(i));
const invalid = valid.map((value, i) => { const copy = structuredClone(value); copy.order.items[i % 8].count = "3"; delete copy.order.customer.name; copy.order.extra = 1; return copy; });

const ajvFirst = new Ajv2020({ strict: false }).compile(meta.inputSchema);
const contenders = {
  "accepts or refuses": { "tsukumo": (x) => tool.accepts(x), "typia 12.2.1 equals": typiaIs, "Ajv 8.20 compiled": (x) => ajvFirst(x) === true },
  "lists every problem": {
    "tsukumo": (x) => tsukumo(x).length === 0,
    "typia 12.2.1 validateEquals": (x) => typia(x).success,
    "Ajv 8.20 compiled, allErrors": (x) => ajv(x) === true,
    "zod 4.6 safeParse": (x) => zOrder.safeParse(x).success,
    "valibot 1.5 safeParse": (x) => v.safeParse(vOrder, x).success,
  },
};
for (const [name, check] of Object.values(contenders).flatMap(Object.entries)) {
  if (!valid.every(check) || invalid.some(check)) throw new Error(name + " gets it wrong");
}
const [ROUNDS, ROUND_MS] = process.env.SMOKE === undefined ? [15, 60] : [1, 1];
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
function measure(check, values) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    let n = 0;
    do { for (const value of values) check(value); n += values.length; } while (performance.now() - start < ROUND_MS);
    rounds.push(((performance.now() - start) * 1e6) / n);
  }
  return median(rounds);
}
console.log("Nanoseconds a value, median of " + ROUNDS + " rounds; in brackets, times tsukumo.\\n\\n| job | contender | valid | invalid |\\n|---|---|--:|--:|");
for (const [job, group] of Object.entries(contenders)) {
  const rows = Object.entries(group).map(([name, check]) => [name, measure(check, valid), measure(check, invalid)]);
  const [, ...own] = rows[0];
  for (const [name, ...times] of rows)
    console.log("| " + [job, name, ...times.map((time, i) => Math.round(time) + " (" + (time / own[i]).toFixed(2) + ")")].join(" | ") + " |");
}
`;
}
