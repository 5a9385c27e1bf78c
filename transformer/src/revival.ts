/** Shape -> the text of a function that turns JSON's forms into the classes that the author's function takes. */
import { access, type CodeStyle, literal, RUNTIME, regexp } from "./code.js";
import { type Definitions, needsRevival, type ObjectShape, type Shape } from "./shape.js";
import type { PredicatePrinter } from "./validator.js";

export class RevivalPrinter {
  readonly #definitions: Definitions;
  readonly #predicates: PredicatePrinter;
  readonly #typescript: boolean;
  readonly #parameter: string;
  readonly #names = new Map<string, string>();
  #count = 0;

  constructor(definitions: Definitions, predicates: PredicatePrinter, style: CodeStyle) {
    this.#definitions = definitions;
    this.#predicates = predicates;
    this.#typescript = style.typescript;
    this.#parameter = style.typescript ? "v: any" : "v";
  }

  /** An expression that gives the revived value; objects and arrays are changed in place. The value is a valid one. */
  revive(shape: Shape, value: string): string {
    if (!needsRevival(shape, this.#definitions)) return value;
    switch (shape.kind) {
      case "string":
        return `${RUNTIME}.${shape.revive === "URL" ? "asUrl" : "asDate"}(${value})`;
      case "array":
        return this.#call(
          value,
          `for (let i = 0; i < v.length; i++) v[i] = ${this.revive(shape.items, "v[i]")}; return v;`,
        );
      case "tuple": {
        const steps = shape.items.map((item, i) =>
          needsRevival(item, this.#definitions)
            ? `if (v.length > ${i}) v[${i}] = ${this.revive(item, `v[${i}]`)};`
            : "",
        );
        if (shape.rest !== undefined && needsRevival(shape.rest, this.#definitions)) {
          steps.push(
            `for (let i = ${shape.items.length}; i < v.length; i++) v[i] = ${this.revive(shape.rest, "v[i]")};`,
          );
        }
        return this.#call(value, `${steps.join(" ")} return v;`);
      }
      case "object": {
        const steps: string[] = [];
        for (const { name, value: inner, optional } of shape.properties) {
          if (!needsRevival(inner, this.#definitions)) continue;
          const target = access("v", name);
          steps.push(`${optional ? `if (${target} !== undefined) ` : ""}${target} = ${this.revive(inner, target)};`);
        }
        steps.push(...this.#reviveKeys(shape));
        return this.#call(value, `${steps.join(" ")} return v;`);
      }
      case "union": {
        const steps = shape.members
          .filter((member) => needsRevival(member, this.#definitions))
          .map((member) => `if (${this.#predicates.test(member, "v")}) return ${this.revive(member, "v")};`);
        return this.#call(value, `${steps.join(" ")} return v;`);
      }
      case "ref": {
        const known = this.#names.get(shape.name);
        if (known !== undefined) return `${known}(${value})`;
        const name = `$_w${this.#count++}`;
        this.#names.set(shape.name, name);
        const target = this.#definitions.get(shape.name);
        if (target === undefined) return value;
        this.#predicates.declarations.push(
          `function ${name}(${this.#parameter})${this.#returns()} { return ${this.revive(target, "v")}; }`,
        );
        return `${name}(${value})`;
      }
      case "any":
      case "null":
      case "boolean":
      case "number":
      case "literal":
        return value;
    }
  }

  /** Keys that are not named: by each pattern, then by the index signature. */
  #reviveKeys(shape: ObjectShape): string[] {
    const revives = (inner: Shape | undefined): inner is Shape =>
      inner !== undefined && needsRevival(inner, this.#definitions);
    if (!revives(shape.additional) && !shape.patterns.some(({ value }) => revives(value))) return [];
    const branches = shape.patterns.map(
      ({ pattern, value }) =>
        `if (${regexp(pattern)}.test(k)) { ${revives(value) ? `v[k] = ${this.revive(value, "v[k]")};` : ""} }`,
    );
    if (revives(shape.additional)) branches.push(`{ v[k] = ${this.revive(shape.additional, "v[k]")}; }`);
    const named = shape.properties.map(({ name }) => name);
    const skip = named.length === 0 ? "" : `if (${literal(named)}.includes(k)) continue; `;
    return [`for (const k of Object.keys(v)) { ${skip}${branches.join(" else ")} }`];
  }

  #call(value: string, body: string): string {
    const name = `$_w${this.#count++}`;
    this.#predicates.declarations.push(`function ${name}(${this.#parameter})${this.#returns()} { ${body} }`);
    return `${name}(${value})`;
  }

  #returns(): string {
    return this.#typescript ? ": any" : "";
  }
}
