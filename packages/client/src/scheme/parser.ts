/** What a scheme's parser is, and the fast way in front of it. */
import type { Response } from "./response.js";
import { Template, type TemplateShape } from "./template.js";

/** Reads the messages of one response and writes to its `response`. `Tag` names what a line does with its text. */
export interface WireParser<Tag> {
  readonly response: Response;
  /**
   * One message: the event name (`""` where the wire has none) and its data. A message whose whole effect is
   * `repeat(tag, text)` returns that as a lesson.
   */
  message(name: string, data: string): Lesson<Tag> | undefined;
  /** A message that equals an earlier lesson but for its text: the line is `line` from `start` to `end`. */
  repeat(tag: Tag, text: string, line: string, start: number, end: number): void;
  /** The bytes are over: completes or fails the response. `failure`: reading them failed, for this reason. */
  end(failure?: string): void;
}

export interface Lesson<Tag> {
  readonly tag: Tag;
  readonly text: string;
  readonly shape: TemplateShape;
}

/** A response uses few kinds of lines; more templates would only be tried in vain. */
const MAX_TEMPLATES = 6;
/** Learning costs more than parsing, so a stream whose lines never repeat stops being learned from. */
const FREE_LESSONS = 24;

interface Learned<Tag> {
  readonly name: string;
  readonly tag: Tag;
  readonly template: Template;
}

export class FastReader<Tag> {
  readonly #parser: WireParser<Tag>;
  readonly #learn: boolean;
  /** The last used comes first. */
  readonly #learned: Learned<Tag>[] = [];
  #lessons = 0;
  #hits = 0;

  constructor(parser: WireParser<Tag>, learn: boolean) {
    this.#parser = parser;
    this.#learn = learn;
  }

  read(name: string, line: string, start: number, end: number): void {
    const learned = this.#find(name, line, start, end);
    if (learned !== undefined) {
      this.#hits++;
      this.#parser.repeat(learned.tag, learned.template.text(line), line, start, end);
      return;
    }
    const data = line.slice(start, end);
    const lesson = this.#parser.message(name, data);
    if (lesson !== undefined && this.#learn && this.#lessons < FREE_LESSONS + this.#hits / 8)
      this.#remember(name, data, lesson);
  }

  #find(name: string, line: string, start: number, end: number): Learned<Tag> | undefined {
    const learned = this.#learned;
    for (let i = 0; i < learned.length; i++) {
      const candidate = learned[i];
      if (candidate === undefined || candidate.name !== name || !candidate.template.matches(line, start, end)) continue;
      if (i > 0) {
        learned.splice(i, 1);
        learned.unshift(candidate);
      }
      return candidate;
    }
    return undefined;
  }

  #remember(name: string, data: string, lesson: Lesson<Tag>): void {
    this.#lessons++;
    const template = Template.learn(data, lesson.shape);
    // Duplicate keys can hide the place that JSON.parse read; then the line is no example.
    if (template === undefined || !template.matches(data, 0, data.length) || template.text(data) !== lesson.text)
      return;
    this.#learned.unshift({ name, tag: lesson.tag, template });
    if (this.#learned.length > MAX_TEMPLATES) this.#learned.pop();
  }
}
