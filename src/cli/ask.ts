import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** Standard input, or its replacement; a terminal's can be released. */
type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean; ref?(): unknown; unref?(): unknown };

/**
 * Prompts on one stream and reads lines from another. One reader for the whole process: a second one would lose what the first
 * has buffered from a pipe.
 */
export function askAt(input: Input, output: NodeJS.WritableStream) {
  let lines: AsyncIterator<string> | undefined;
  let reader: Interface | undefined;
  let hidden = false;

  return async (question: string, { secret = false } = {}): Promise<string | undefined> => {
    const isPerson = input.isTTY === true;
    if (!reader) {
      // readline echoes the input, so hiding means dropping its output.
      const echo = new Writable({
        write(chunk, _encoding, done) {
          if (!hidden) output.write(chunk);
          done();
        },
      });
      reader = createInterface({ input, output: echo, terminal: isPerson });
      lines = reader[Symbol.asyncIterator]();
      // A command must be able to end after its last prompt.
      input.unref?.();
    }
    if (isPerson) output.write(question);
    hidden = secret && isPerson;
    input.ref?.();
    const next = await lines?.next();
    input.unref?.();
    if (hidden) output.write("\n");
    hidden = false;
    return next?.done ? undefined : next?.value;
  };
}
