/** What a person can do in a chat: write, tap a button, tap a command. */
import { useMemo } from "react";
import { type Done, type Pressed, press, type SentFile, say } from "./api.ts";
import { useSettings } from "./settings.tsx";
import type { ChatView } from "./types.ts";

export interface Actions {
  readonly say: (said: {
    text?: string;
    photo?: string;
    file?: SentFile;
    reply_to?: string;
  }) => Promise<Done>;
  readonly press: (button: { message_id: string; row: number; column: number }) => Promise<Done<Pressed>>;
  /** Absent where the person cannot write. */
  readonly runCommand?: (command: string) => void;
}

export function useActions({ provider, id, writable }: ChatView): Actions {
  const { texts } = useSettings();
  const name = texts.guest;
  return useMemo(() => {
    const chat = { provider, id };
    return {
      say: (said) => say(chat, { name, ...said }),
      press: (button) => press(chat, button),
      ...(writable && { runCommand: (text: string) => void say(chat, { name, text }) }),
    };
  }, [provider, id, writable, name]);
}
