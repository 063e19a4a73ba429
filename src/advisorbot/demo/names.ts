/** The demo's bot, known to the twin of Telegram. */
export const demoAdvisorBot = {
  username: "hvostosovet_bot",
  title: "Хвостосовет",
  token: `7000000003:${"H".repeat(35)}`,
} as const;
