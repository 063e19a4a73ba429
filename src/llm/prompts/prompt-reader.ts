import { type Prompt, readPrompt } from "./prompt-file.ts";

/** Parses the text of a stored prompt and caches the result, because the next call has the same text. */
export type PromptReader = (body: string, name: string) => Prompt;

const most = 500;

export function createPromptReader(): PromptReader {
  const remembered = new Map<string, Prompt>();
  return (body, name) => {
    const known = remembered.get(body);
    if (known) return known;
    const read = readPrompt(body);
    if (!read.ok) throw new Error(`prompt ${name} cannot be used: ${read.error}`);
    if (remembered.size >= most) remembered.clear();
    remembered.set(body, read.prompt);
    return read.prompt;
  };
}
