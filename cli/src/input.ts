/** Reading what a command is given: a file, `-` for standard input. */
import { readFile } from "node:fs/promises";
import { CliError } from "./failure.js";

/** The bytes of a file, or of standard input for `-` and undefined. @throws {CliError} */
export async function readBytes(source: string | undefined): Promise<Uint8Array> {
  if (source === undefined || source === "-") return readStandardInput();
  try {
    return await readFile(source);
  } catch (cause) {
    throw new CliError(`Cannot read ${source}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

export async function readText(source: string | undefined): Promise<string> {
  return new TextDecoder().decode(await readBytes(source));
}

async function readStandardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
