import type { Preparation } from "../preparation.ts";

const credential = {
  login: "shop",
  key: "board-key-first",
  refresh_key: "board-refresh-first",
  expires_at: "2100-01-01T00:00:00.000Z",
};
const writers = (...logins: string[]) => ({ name: "news", writers: logins });

export const preparation: Preparation = {
  credential,
  wrongCredential: { ...credential, key: "board-key-of-nobody", refresh_key: "board-refresh-of-nobody" },
  targetId: "news",
  absentTarget: "nowhere",
  bot: credential,
  chat: writers("shop"),
  without: [
    "marks",
    "buttons",
    "album",
    "series",
    "silence",
    "replies",
    "split",
    "video",
    "animation",
    "audio",
    "document",
  ],
  methods: { text: "POST /boards/:name/notes", photo: "POST /boards/:name/notes" },
  largestFiles: [{ kind: "photo", bytes: 1_000_000 }],
  pictures: { largest: [100, 100], beyond: [100, 100] },
  troubles: [
    {
      name: "a key of nobody",
      credential: { ...credential, key: "board-key-of-nobody" },
      step: "token",
      finding: "token_refused",
    },
    { name: "a board that is not there", targetId: "nowhere", step: "chat", finding: "chat_not_found" },
    {
      name: "a board of others",
      control: { method: "POST", path: "/board/chats", body: writers("others") },
      step: "rights",
      finding: "shut",
    },
  ],
};
