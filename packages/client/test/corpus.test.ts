/** Every recording decodes, the same in every split, fast or by JSON.parse. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasCorpus, recordings } from "./support/corpus.js";
import { decode, decodeAt, expectWellFormed } from "./support/decode.js";

const FOLDERS = ["anthropic", "openai-chat", "openai-compatible", "openai-responses", "gemini", "ollama"];
const CHUNK_SIZES = [1, 2, 3, 7, 64, 1400];

describe.skipIf(!hasCorpus).each(FOLDERS)("recordings of %s", (folder) => {
  test.each(recordings(folder))("$file", ({ scheme, bytes }) => {
    const reference = decode(scheme, bytes, bytes.length, { reference: true });
    expectWellFormed(reference);
    expect(decode(scheme, bytes)).toEqual(reference);
    for (const size of CHUNK_SIZES) expect(decode(scheme, bytes, size), `chunks of ${size}`).toEqual(reference);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        expect(
          decodeAt(
            scheme,
            bytes,
            cuts.sort((a, b) => a - b),
          ),
        ).toEqual(reference);
      }),
      { numRuns: 10 },
    );
  });
});
