/** What a scheme's parser is, and the fast way in front of it. */
import type { ResponseWriter } from "./response-writer.js";
import { stands, Template, type TemplateShape } from "./template.js";

/** Reads the messages of one response and writes to its `response`. `Tag` names what a line does with its text. */
export interface WireParser<Tag> {
  readonly response: ResponseWriter;
  /** Lines that are the same in every response, so that they need not be learned. */
  readonly known?: readonly Learned<Tag>[];
  /**
   * One message: the event name (`""` where the wire has none) and its data. A message whose whole effect is
   * `repeat(tag, text)` returns that as a lesson.
   */
  message(name: string, data: string): Lesson<Tag> | undefined;
  /**
   * A message that equals an earlier lesson but for its text. Its data is `line` from `start` to `end`.
   */
  repeat(tag: Tag, text: string, line: string, start: number, end: number): void;
  /** The bytes are over: completes or fails the response. `failure`: reading them failed, for this reason. */
  end(failure?: string): void;
}

export interface Lesson<Tag> {
  readonly tag: Tag;
  readonly text: string;
  /** The same object for all lessons of one kind. */
  readonly shape: TemplateShape;
}

/** How a wire puts a message between others. */
export interface Framing {
  /** What may come before the data of a message, alone. */
  readonly before: RegExp;
  /** What may follow it up to the next message. */
  readonly after: readonly string[];
}

export const SSE_FRAMING: Framing = { before: /^(event:[^\r\n]*\r?\n)?data: ?$/, after: ["\n\n", "\r\n\r\n"] };
export const NDJSON_FRAMING: Framing = { before: /^$/, after: ["\n", "\r\n"] };

/** A response uses few kinds of lines; more templates would only be tried in vain. */
const MAX_TEMPLATES = 8;
/** Learning costs as much as parsing, so a stream whose lines never repeat stops being learned from. */
const FREE_LESSONS = 16;
/** A line of a kind is learned when so many of them were parsed: short answers end before learning has paid. */
const LEARNED_AT = 6;
const LOOSE_AT = 4;

/** What a parser knows from the start. */
export interface Learned<Tag> {
  readonly name: string;
  readonly tag: Tag;
  readonly template: Template;
  /** The template of the whole message with what frames it, where that is known. */
  readonly framed: Template | undefined;
  readonly before: string;
  readonly after: string;
}

export class FastReader<Tag> {
  readonly #parser: WireParser<Tag>;
  readonly #framing: Framing;
  readonly #learns: boolean;
  /** The last used comes first. */
  readonly #learned: Learned<Tag>[];
  /** How often each kind was seen: learning pays when more of them come. */
  readonly #seen = new Map<TemplateShape, number>();
  readonly #learnedTimes = new Map<TemplateShape, number>();
  #lessons = 0;
  #hits = 0;
  /** The text that no template could read, from the start of a message. */
  #offeredText = "";
  #offeredAt = 0;

  constructor(parser: WireParser<Tag>, framing: Framing, learns: boolean) {
    this.#parser = parser;
    this.#framing = framing;
    this.#learns = learns;
    this.#learned = learns ? [...(parser.known ?? [])] : [];
  }

  /** Reads whole messages from `position`; gives where it stopped. */
  shortcut(text: string, position: number): number {
    let at = position;
    if (this.#learned.length > 0) {
      for (let end = this.#framedEnd(text, at); end >= 0; end = this.#framedEnd(text, at)) at = end;
    }
    this.#offeredText = text;
    this.#offeredAt = at;
    return at;
  }

  /** One message that the framer has found. */
  read(name: string, line: string, start: number, end: number): void {
    const learned = this.#find(name, line, start, end);
    if (learned !== undefined) {
      this.#hits++;
      this.#parser.repeat(learned.tag, learned.template.text(line), line, start, end);
      return;
    }
    const data = line.slice(start, end);
    const lesson = this.#parser.message(name, data);
    if (lesson === undefined || !this.#learns) return;
    const seen = (this.#seen.get(lesson.shape) ?? 0) + 1;
    this.#seen.set(lesson.shape, seen);
    const pays = seen >= LEARNED_AT && this.#lessons < FREE_LESSONS + this.#hits / 8;
    if (pays) this.#remember(name, line, start, end, data, lesson);
  }

  #framedEnd(text: string, at: number): number {
    const learned = this.#learned;
    for (let i = 0; i < learned.length; i++) {
      const candidate = learned[i];
      const template = candidate?.framed;
      if (candidate === undefined || template === undefined) continue;
      const end = template.match(text, at, text.length);
      const next = end + candidate.after.length;
      if (end < 0 || !stands(candidate.after, text, end)) continue;
      this.#hits++;
      this.#use(i, candidate);
      this.#parser.repeat(candidate.tag, template.text(text), text, at + candidate.before.length, end);
      return next;
    }
    return -1;
  }

  #find(name: string, line: string, start: number, end: number): Learned<Tag> | undefined {
    const learned = this.#learned;
    for (let i = 0; i < learned.length; i++) {
      const candidate = learned[i];
      if (candidate === undefined || candidate.name !== name || !candidate.template.matches(line, start, end)) continue;
      this.#use(i, candidate);
      return candidate;
    }
    return undefined;
  }

  #use(index: number, learned: Learned<Tag>): void {
    if (index === 0) return;
    this.#learned.splice(index, 1);
    this.#learned.unshift(learned);
  }

  /** A kind that has to be learned again and again differs in more than usual. */
  #shapeFor(shape: TemplateShape): TemplateShape {
    if (shape.loose === undefined) return shape;
    const times = (this.#learnedTimes.get(shape) ?? 0) + 1;
    this.#learnedTimes.set(shape, times);
    return times < LOOSE_AT ? shape : { text: shape.text, ignored: [...shape.ignored, ...shape.loose] };
  }

  #remember(name: string, line: string, start: number, end: number, data: string, lesson: Lesson<Tag>): void {
    this.#lessons++;
    const template = Template.learn(data, this.#shapeFor(lesson.shape));
    // Duplicate keys can hide the place that JSON.parse read; then the line is no example.
    if (template === undefined || !template.matches(data, 0, data.length) || template.text(data) !== lesson.text)
      return;
    const before =
      line === this.#offeredText && this.#offeredAt <= start ? line.slice(this.#offeredAt, start) : undefined;
    const after = this.#framing.after.find((candidate) => line.startsWith(candidate, end));
    const isFramed = before !== undefined && after !== undefined && this.#framing.before.test(before);
    this.#learned.unshift({
      name,
      tag: lesson.tag,
      template,
      framed: isFramed ? template.after(before) : undefined,
      before: before ?? "",
      after: after ?? "",
    });
    if (this.#learned.length > MAX_TEMPLATES) this.#learned.pop();
  }
}

function says<Tag>(template: Template, data: string, lesson: Lesson<Tag>): boolean {
  return template.matches(data, 0, data.length) && template.text(data) === lesson.text;
}

/** A line that a wire always sends in the same form: one example of it, and what it means. */
export function known<Tag>(name: string, data: string, lesson: Lesson<Tag>): Learned<Tag>[] {
  const template = Template.learn(data, lesson.shape);
  if (template === undefined || !says(template, data, lesson)) return [];
  const before = `${name === "" ? "" : `event: ${name}\n`}data: `;
  return [{ name, tag: lesson.tag, template, framed: template.after(before), before, after: "\n\n" }];
}
