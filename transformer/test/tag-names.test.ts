/** Tags that an author got nearly right, and those that are somebody else's. */
import { describe, expect, it } from "vitest";
import { compileSource } from "./compile-source.js";

function told(text: string): string[] {
  return compileSource(text).sink.all.map(({ code, details }) => `${code} ${details.slice(0, 2).join(" ")}`);
}

const onFunction = (tag: string): string =>
  `/**\n * Rates.\n * @tool\n * ${tag}\n * @param stars How many\n */\nexport function rate(stars: number): number { return stars; }`;
const onParameter = (tag: string, type = "number"): string =>
  `/**\n * Rates.\n * @tool\n */\nexport function rate(/** How many\n * ${tag} */ stars: ${type}): void { void stars; }`;

describe("a misspelt tag is told with the one that was meant", () => {
  it.each([
    ["@efect destructive", "efect effect"],
    ["@effects destructive", "effects effect"],
    ["@Effect destructive", "Effect effect"],
    ["@destructive", "destructive effect destructive"],
    ["@sanitise none", "sanitise sanitize"],
    ["@respones x", "respones response"],
    ["@params stars How many", "params param"],
    ["@Idempotent", "Idempotent idempotent"],
  ])("%s of a function", (tag, details) => {
    expect(told(onFunction(tag))).toEqual([`TSK1035 ${details}`]);
  });

  it.each([
    ["@min 3", "min minimum"],
    ["@Minimum 3", "Minimum minimum"],
    ["@minimun 3", "minimun minimum"],
    ["@integer", "integer type int"],
    ["@examples 3", "examples example"],
    ["@titel x", "titel title"],
  ])("%s of a parameter", (tag, details) => {
    expect(told(onParameter(tag))).toEqual([`TSK1035 ${details}`]);
  });

  it("@minlength of a parameter", () => {
    expect(told(onParameter("@minlength 3", "string"))).toEqual(["TSK1035 minlength minLength"]);
  });

  it.each(["@Tool", "@tol", "@tools", "@Prompt", "@resourse file:///x"])("%s, which makes no tool", (tag) => {
    const marked = `/**\n * Greets.\n * ${tag}\n */\n`;
    const [name] = tag.slice(1).split(" ");
    for (const declaration of [
      "export function greet(): void {}",
      "export const greet = (): void => {};",
      "export class Greeter {\n  METHOD\n}",
    ]) {
      const text = declaration.includes("METHOD")
        ? declaration.replace("METHOD", `${marked} greet(): void {}`)
        : marked + declaration;
      expect(told(`${text}\n/** Other.\n * @tool */\nexport function other(): void {}`)[0]).toMatch(
        new RegExp(`^TSK1035 ${name} (tool|prompt|resource)$`),
      );
    }
  });
});

describe("tags of others are left alone", () => {
  const OTHERS =
    "returns return throws see since todo internal public private protected alpha beta remarks example deprecated async async override template this type enum file fileoverview license author version summary module namespace event fires listens link inheritDoc category group hidden ignore source function constant class license satisfies";
  it.each([...new Set(OTHERS.split(" "))])("@%s", (tag) => {
    expect(told(onFunction(`@${tag}`)).filter((line) => line.startsWith("TSK1035"))).toEqual([]);
    expect(told(`/** Helps.\n * @${tag} */\nfunction help(): void {}\n${onFunction("@see x")}\nvoid help;`)).toEqual(
      [],
    );
  });

  it.each(["readonly", "internal", "since 1", "remarks x", "see x", "link x", "public", "unit m", "override", "enum"])(
    "@%s of a parameter",
    (tag) => {
      expect(told(onParameter(`@${tag}`))).toEqual([]);
    },
  );
});

describe("a limit in the comment of the function is an error, since it would limit nothing", () => {
  it.each(["@minimum 1", "@maximum 5", "@minLength 3", "@format date", "@pattern a"])("%s", (tag) => {
    expect(told(onFunction(tag))).toEqual([`TSK1012 ${tag.slice(1)}`]);
    expect(told(onFunction("@see x").replace("How many", `How many ${tag}`))).toEqual([`TSK1012 ${tag.slice(1)}`]);
  });
});

it("an effect without a word is told", () => {
  expect(told(onFunction("@effect"))).toEqual(["TSK1009 Nothing"]);
});

it("a method whose comment stands on the line of the brace is told", () => {
  const method = "export class K { /** Greets. @tool */\n  greet(): void {}\n}";
  expect(told(method)).toEqual(["TSK1026 `greet`"]);
  expect(
    told("export class K { /** Helps. */\n  help(): void {}\n  /** Greets.\n * @tool */ greet(): void {}\n}"),
  ).toEqual([]);
});

it("a comment that begins with --- is a template, as a @description is", () => {
  const { tools, sink } = compileSource(
    "/**\n * ---\n * env: [HOST = str]\n * ---\n * Host {{ HOST }}.\n * @tool\n * @env HOST=example.org\n */\nexport function host(): void {}",
  );
  expect(sink.all).toEqual([]);
  expect(tools[0]?.model.description).toBe("Host example.org.");
});
