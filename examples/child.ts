/** For the examples' tests: builds an example as its package says, and runs its programs as a user would. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export function folderOf(example: string): string {
  return fileURLToPath(new URL(`./${example}/`, import.meta.url));
}

/** @throws {Error} with what the build said, where it fails */
export function build(example: string): void {
  const options = { cwd: folderOf(example), encoding: "utf8", shell: process.platform === "win32" } as const;
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "build"], options);
  if (status !== 0) throw new Error(`The build of ${example} failed.\n${stdout}\n${stderr}`);
}

export class Child {
  /** Everything that it wrote so far, to standard output and to standard error. */
  output = "";
  readonly exited: Promise<number | null>;
  readonly #process: ChildProcess;

  /** `node` with the arguments, in the example's folder. `input`: all of standard input; without it, it stays open. */
  constructor(example: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, input?: string) {
    const child = spawn(process.execPath, args, { cwd: folderOf(example), env: { ...process.env, ...env } });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
        child.emit("told");
      });
    this.#process = child;
    this.exited = new Promise((resolve) => child.once("close", resolve));
    if (input !== undefined) child.stdin.end(input);
  }

  type(text: string): void {
    this.#process.stdin?.write(text);
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#process.kill(signal);
  }

  /** Gives the match. @throws {Error} where the program ends before it said so */
  async told(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match !== null) return match;
      const more = new Promise((resolve) => this.#process.once("told", () => resolve("more")));
      const end = this.exited.then(() => "end");
      if ((await Promise.race([more, end])) === "end" && !pattern.test(this.output))
        throw new Error(`The program ended and never said ${pattern}. It said:\n${this.output}`);
    }
  }
}
