/** The names that the demo uses; they are its own, so that nothing of the demo workspace is changed. */
export const cast = {
  workspace: "Показ: molva demo",
  authRef: "play-bot",
  bots: {
    telegram: { username: "molva_play_bot", token: `7000000002:${"P".repeat(35)}` },
    max: { username: "molva_play_bot", token: "molva-play-max-token" },
  },
  /** The same chats every time: the twins keep chats, and new ones in each run would pile up. */
  firstChat: { telegram: -1_002_100_000_001, max: -71_000_001 },
} as const;

export type PlayPlatform = keyof typeof cast.bots;
