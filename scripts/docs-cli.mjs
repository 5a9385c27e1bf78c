/** Writes docs/cli.md from `tsukumo --help` and each command's own. With `--check` it fails where the page is not up to date. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bin = join(root, "cli/bin/tsukumo.js");
const target = join(root, "docs/cli.md");
/** Said beside the help: what it cannot show. A `run` block becomes its command and what that prints. */
const RUN = /^```run\n([\s\S]*?)\n```$/gm;

const text = await page(readFileSync(join(root, "docs/fixtures/cli.md"), "utf8"));
if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
  if (argv.includes("--check")) {
    console.error("docs/cli.md is not up to date. Run `npm run docs:gen`.");
    process.exit(1);
  }
  writeFileSync(target, text);
}

async function page(template) {
  const overview = await help();
  const commands = (/USAGE tsukumo (\S+)/.exec(overview)?.[1] ?? "").split("|");
  const blocks = [...template.matchAll(RUN)].map((match) => match[1] ?? "");
  const [helps, examples] = await Promise.all([
    Promise.all(commands.map((name) => help(name))),
    Promise.all(blocks.map((command) => example(command))),
  ]);
  const notes = template.replace(RUN, () => examples.shift() ?? "");
  const sections = commands.flatMap((name, index) => {
    const note = section(notes, name);
    return ["", `## ${name}`, "", "```text", helps[index], "```", ...(note === "" ? [] : ["", note])];
  });
  const origin = "<!-- Generated from the command's help by scripts/docs-cli.mjs: edit docs/fixtures/cli.md. -->";
  const first = [origin, "", section(notes, "tsukumo"), "", "```text", overview, "```"];
  return [...first, ...sections, ""].join("\n");
}

async function help(...command) {
  const { code, said } = await run(process.execPath, [bin, ...command, "--help"]);
  if (code !== 0) throw new Error(`tsukumo ${command.join(" ")} --help exited with ${code}: ${said}`);
  return said
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

async function example(command) {
  const { code, said } = await run("sh", ["-c", command.replaceAll("tsukumo ", `node ${bin} `)]);
  if (said.includes("    at ")) throw new Error(`${command}: ${said}`);
  return ["```sh", command, "```", "", "```text", said, ...(code === 0 ? [] : [`[exit ${code}]`]), "```"].join("\n");
}

/** What stands under `<!-- name -->`. */
function section(markdown, name) {
  const mark = `<!-- ${name} -->`;
  const at = markdown.indexOf(mark);
  if (at === -1) return "";
  const rest = markdown.slice(at + mark.length);
  const end = rest.search(/^<!-- \w+ -->$/m);
  return (end === -1 ? rest : rest.slice(0, end)).trim();
}

function run(command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: join(root, "docs/fixtures") }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, said: `${stdout}${stderr}`.trim() }),
    );
  });
}
