/** The demo's bot, which the Telegram twin knows. */
export const demoAdvisorBot = {
  username: "hvostosovet_bot",
  title: "Хвостосовет",
  token: `7000000003:${"H".repeat(35)}`,
} as const;
