import type { HttpClient } from "../../kernel/outbound/index.ts";
import { demoAdvisorBot } from "./names.ts";

/** Tells the twin of Telegram that there is such a bot; telling it again changes nothing. */
export async function introduceAdvisorBot(twinsUrl: string, http: HttpClient): Promise<void> {
  const { token, username, title } = demoAdvisorBot;
  const answer = await http.request({
    method: "POST",
    url: `${twinsUrl}/_control/telegram/bots`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, username, first_name: title }),
  });
  if (answer.kind === "failure" || answer.status >= 400)
    throw new Error(
      `the twin of Telegram did not take the advisor's bot: ${answer.kind === "failure" ? answer.message : answer.status}`,
    );
}
