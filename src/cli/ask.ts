import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

/** Standard input, or what stands for it; a terminal's can be let go of. */
type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean; ref?(): unknown; unref?(): unknown };

/**
 * Asks on one stream and reads from another, a line at a time. One reader for the whole process: a second one would lose what
 * the first has read ahead from a pipe.
 */
export function askAt(input: Input, output: NodeJS.WritableStream) {
  let lines: AsyncIterator<string> | undefined;
  let reader: Interface | undefined;
  let hidden = false;

  return async (question: string, { secret = false } = {}): Promise<string | undefined> => {
    const isPerson = input.isTTY === true;
    if (!reader) {
      // What is typed is echoed by readline, so hiding means to swallow it.
      const echo = new Writable({
        write(chunk, _encoding, done) {
          if (!hidden) output.write(chunk);
          done();
        },
      });
      reader = createInterface({ input, output: echo, terminal: isPerson });
      lines = reader[Symbol.asyncIterator]();
      // A command that has asked everything must be able to end.
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
