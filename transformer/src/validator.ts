/**
 * Shape -> the text of a predicate. It accepts exactly what the shape's schema accepts, stops at the first problem and
 * allocates nothing but the key list of closed objects; what is wrong is told by the runtime, from the schema.
 */
import { access, type CodeStyle, isInherited, literal, quote, RUNTIME, regexp } from "./code.js";
import type {
  ArrayShape,
  Definitions,
  LiteralShape,
  NumberShape,
  ObjectShape,
  Shape,
  StringShape,
  TupleShape,
  UnionShape,
} from "./shape.js";

/** More literals than this go into a Set. */
const MAX_COMPARISONS = 8;

export class PredicatePrinter {
  /** Declarations that the predicates need, in order. */
  readonly declarations: string[] = [];
  readonly #definitions: Definitions;
  readonly #typescript: boolean;
  readonly #parameter: string;
  readonly #names = new Map<string, string>();
  /** A type that stands in several places is checked by one function. */
  readonly #printed = new Map<Shape, string>();
  #count = 0;

  constructor(definitions: Definitions, style: CodeStyle) {
    this.#definitions = definitions;
    this.#typescript = style.typescript;
    this.#parameter = style.typescript ? "v: any" : "v";
  }

  /** The name of a function `(v) => boolean`. */
  predicate(shape: Shape): string {
    const known = this.#printed.get(shape);
    if (known !== undefined) return known;
    const name = this.#print(shape);
    this.#printed.set(shape, name);
    return name;
  }

  #print(shape: Shape): string {
    switch (shape.kind) {
      case "object":
        return this.#function("o", this.#objectBody(shape));
      case "array":
        return this.#function("a", this.#arrayBody(shape));
      case "tuple":
        return this.#function("t", this.#tupleBody(shape));
      case "union":
        return this.#function("u", this.#unionBody(shape));
      case "ref":
        return this.#reference(shape.name);
      default:
        return this.#function("p", `return ${this.test(shape, "v")};`);
    }
  }

  /** A boolean expression over `value`, which is evaluated more than once. */
  test(shape: Shape, value: string): string {
    switch (shape.kind) {
      case "any":
        return `${value} !== undefined`;
      case "null":
        return `${value} === null`;
      case "boolean":
        return `typeof ${value} === "boolean"`;
      case "string":
        return this.#stringTest(shape, value);
      case "number":
        return numberTest(shape, value);
      case "literal":
        return this.#literalTest(shape, value);
      case "union":
        if (shape.discriminator === undefined && shape.members.every(isSimple)) {
          return `(${shape.members.map((member) => this.test(member, value)).join(" || ")})`;
        }
        return `${this.predicate(shape)}(${value})`;
      case "object":
      case "array":
      case "tuple":
      case "ref":
        return `${this.predicate(shape)}(${value})`;
    }
  }

  #reference(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const shape = this.#definitions.get(name);
    if (shape === undefined) throw new Error(`The definition ${name} is missing from the model.`);
    const label = `$_d${this.#count++}`;
    this.#names.set(name, label);
    const body = this.predicate(shape);
    this.declarations.push(`function ${label}(${this.#parameter})${this.#returns()} { return ${body}(v); }`);
    return label;
  }

  #function(prefix: string, body: string): string {
    const name = `$_${prefix}${this.#count++}`;
    this.declarations.push(`function ${name}(${this.#parameter})${this.#returns()} { ${body} }`);
    return name;
  }

  #returns(): string {
    return this.#typescript ? ": boolean" : "";
  }

  #constant(prefix: string, value: string): string {
    const name = `$_${prefix}${this.#count++}`;
    this.declarations.unshift(`const ${name} = ${value};`);
    return name;
  }

  #stringTest(shape: StringShape, value: string): string {
    const tests = [`typeof ${value} === "string"`];
    if (shape.minLength !== undefined || shape.maxLength !== undefined) {
      tests.push(`${RUNTIME}.lengthWithin(${value}, ${shape.minLength ?? 0}, ${shape.maxLength ?? "Infinity"})`);
    }
    if (shape.pattern !== undefined) tests.push(`${this.#constant("r", regexp(shape.pattern))}.test(${value})`);
    if (shape.format !== undefined) tests.push(`${RUNTIME}.hasFormat(${quote(shape.format)}, ${value})`);
    return tests.length === 1 ? tests.join("") : `(${tests.join(" && ")})`;
  }

  #literalTest(shape: LiteralShape, value: string): string {
    if (shape.values.length > MAX_COMPARISONS) {
      const set = this.#constant("s", `new Set${this.#typescript ? "<unknown>" : ""}(${literal(shape.values)})`);
      return `${set}.has(${value})`;
    }
    const tests = shape.values.map((option) => `${value} === ${literal(option)}`);
    return tests.length === 1 ? tests.join("") : `(${tests.join(" || ")})`;
  }

  #objectBody(shape: ObjectShape): string {
    const lines = [`if (typeof v !== "object" || v === null || Array.isArray(v)) return false;`];
    const required = shape.properties.filter((property) => !property.optional).length;
    const optional = shape.properties.length - required;
    const counted = shape.patterns.length === 0 && shape.additional === undefined;
    if (counted && optional > 0) lines.push(`let n = ${required};`);
    for (const [index, { name, value, optional: mayMiss }] of shape.properties.entries()) {
      const local = `x${index}`;
      const read = access("v", name);
      lines.push(
        `const ${local} = ${isInherited(name) ? `Object.hasOwn(v, ${quote(name)}) ? ${read} : undefined` : read};`,
      );
      const test = this.test(value, local);
      if (mayMiss) lines.push(`if (${local} !== undefined) { if (!(${test})) return false;${counted ? " n++;" : ""} }`);
      else lines.push(`if (!(${test})) return false;`);
    }
    lines.push(counted ? `return Object.keys(v).length === ${optional > 0 ? "n" : required};` : this.#keyLoop(shape));
    return lines.join(" ");
  }

  /** Keys beyond the named ones: by pattern, then by the index signature. */
  #keyLoop(shape: ObjectShape): string {
    const known = shape.properties.map((property) => property.name);
    const set = known.length > 0 ? this.#constant("k", `new Set(${literal(known)})`) : undefined;
    const steps = [`let m = ${set === undefined ? "false" : `${set}.has(k)`};`];
    for (const { pattern, value } of shape.patterns) {
      steps.push(
        `if (${this.#constant("r", regexp(pattern))}.test(k)) { m = true; if (!(${this.test(value, "x")})) return false; }`,
      );
    }
    const rest =
      shape.additional === undefined ? "return false" : `if (!(${this.test(shape.additional, "x")})) return false`;
    steps.push(`if (!m) ${rest.startsWith("if") ? `{ ${rest}; }` : `${rest};`}`);
    return `for (const k of Object.keys(v)) { const x = v[k]; ${steps.join(" ")} } return true;`;
  }

  #arrayBody(shape: ArrayShape): string {
    const lines = ["if (!Array.isArray(v)) return false;"];
    if (shape.minItems !== undefined) lines.push(`if (v.length < ${shape.minItems}) return false;`);
    if (shape.maxItems !== undefined) lines.push(`if (v.length > ${shape.maxItems}) return false;`);
    if (shape.items.kind !== "any") {
      lines.push(
        `for (let i = 0; i < v.length; i++) { const x = v[i]; if (!(${this.test(shape.items, "x")})) return false; }`,
      );
    }
    lines.push(shape.uniqueItems ? `return ${RUNTIME}.isUnique(v);` : "return true;");
    return lines.join(" ");
  }

  #tupleBody(shape: TupleShape): string {
    const { items, required, rest } = shape;
    const lines = [
      `if (!Array.isArray(v) || v.length < ${required}${rest === undefined ? ` || v.length > ${items.length}` : ""}) return false;`,
    ];
    for (const [index, item] of items.entries()) {
      const test = `!(${this.test(item, `x${index}`)})`;
      lines.push(`const x${index} = v[${index}];`);
      lines.push(`if (${index < required ? "" : `v.length > ${index} && `}${test}) return false;`);
    }
    if (rest !== undefined) {
      lines.push(
        `for (let i = ${items.length}; i < v.length; i++) { const x = v[i]; if (!(${this.test(rest, "x")})) return false; }`,
      );
    }
    lines.push("return true;");
    return lines.join(" ");
  }

  #unionBody(shape: UnionShape): string {
    const { discriminator } = shape;
    if (discriminator === undefined)
      return `return ${shape.members.map((member) => this.test(member, "v")).join(" || ")};`;
    const cases: string[] = [];
    let nullable = false;
    for (const member of shape.members) {
      if (member.kind === "null") nullable = true;
      if (member.kind !== "object") continue;
      const value = member.properties.find((property) => property.name === discriminator)?.value;
      if (value?.kind !== "literal") continue;
      const labels = value.values.map((option) => `case ${literal(option)}:`).join(" ");
      cases.push(`${labels} return ${this.predicate(member)}(v);`);
    }
    const guard = `if (typeof v !== "object" || v === null) return ${nullable ? "v === null" : "false"};`;
    return `${guard} switch (${access("v", discriminator)}) { ${cases.join(" ")} default: return false; }`;
  }
}

function isSimple(shape: Shape): boolean {
  return shape.kind !== "object" && shape.kind !== "array" && shape.kind !== "tuple" && shape.kind !== "union";
}

function numberTest(shape: NumberShape, value: string): string {
  const tests = [`Number.${shape.integer ? "isInteger" : "isFinite"}(${value})`];
  if (shape.minimum !== undefined) tests.push(`${value} >= ${shape.minimum}`);
  if (shape.maximum !== undefined) tests.push(`${value} <= ${shape.maximum}`);
  if (shape.exclusiveMinimum !== undefined) tests.push(`${value} > ${shape.exclusiveMinimum}`);
  if (shape.exclusiveMaximum !== undefined) tests.push(`${value} < ${shape.exclusiveMaximum}`);
  if (shape.multipleOf !== undefined) tests.push(`${RUNTIME}.isMultiple(${value}, ${shape.multipleOf})`);
  return tests.length === 1 ? tests.join("") : `(${tests.join(" && ")})`;
}
