import type { ModelMessage, SystemModelMessage } from "ai";
import type { Model } from "./model-of.ts";

type Prompt = Parameters<Model["doGenerate"]>[0]["prompt"];

/** Messages in the form that providers' models take: contents are lists of parts. */
export function promptOf(system: SystemModelMessage, messages: readonly ModelMessage[]): Prompt {
  return [system, ...messages.map(messageOf)];
}

function messageOf({ role, content }: ModelMessage): Prompt[number] {
  if (role === "assistant") return { role, content: partsOf(content).filter((part) => part.type === "text") };
  if (role === "user") return { role, content: partsOf(content) };
  throw new Error(`a message of role ${role} is none of ours`);
}

type UserPart = Extract<Prompt[number], { role: "user" }>["content"][number];

function partsOf(content: ModelMessage["content"]): UserPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part): UserPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "file" && part.data instanceof Uint8Array)
      return { type: "file", data: part.data, mediaType: part.mediaType };
    throw new Error(`a part of type ${part.type} is none of ours`);
  });
}
