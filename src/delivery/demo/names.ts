/** The fixed names of db/seed.sql. */
export const demo = {
  workspaceId: "00000000-0000-7000-8000-000000000001",
  endpointId: "00000000-0000-7000-8000-000000000002",
  secret: "molva-demo-secret",
  bots: [
    {
      platform: "telegram",
      authRef: "demo-telegram-bot",
      username: "molva_demo_bot",
      token: `7000000001:${"D".repeat(35)}`,
    },
    { platform: "max", authRef: "demo-max-bot", username: "molva_demo_bot", token: "molva-demo-max-token" },
  ],
} as const;
