import type { SendError } from "../../contract.ts";

export function notASession(): SendError {
  return {
    category: "PERMANENT",
    scope: "delivery",
    code: "session_invalid",
    message: "this is no session string of mtcute, GramJS, Telethon or Pyrogram",
  };
}
