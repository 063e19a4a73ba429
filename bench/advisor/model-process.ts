/** A model with a constant answer: at once, or after the seconds that a question names as `wait:30`. */
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const advice = JSON.stringify({
  answer_text: "Обеспечьте покой и свежую воду. Если за сутки лучше не станет, покажитесь врачу.",
  safety_level: "low",
  recommended_actions: ["Дать воды", "Понаблюдать"],
  should_go_to_vet: false,
  followup_question: "Как давно это началось?",
  topic: "Самочувствие",
  summary: "Спросили о самочувствии; совет: покой и вода.",
});

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const asked = Buffer.concat(parts).toString("utf8");
  const seconds = Number(/wait:(\d+)/.exec(asked)?.[1] ?? 0);
  if (seconds > 0) await delay(seconds * 1000);
  response.setHeader("content-type", "application/json");
  response.end(
    JSON.stringify({
      id: "gen-1",
      object: "chat.completion",
      created: 1,
      model: "google/gemini-2.5-flash-lite",
      choices: [{ index: 0, message: { role: "assistant", content: advice }, finish_reason: "stop" }],
      usage: { prompt_tokens: 900, completion_tokens: 200, total_tokens: 1100, cost: 0.0001 },
    }),
  );
});
server.keepAliveTimeout = 60_000;
await once(server.listen(0, "127.0.0.1"), "listening");
const address = server.address();
if (address === null || typeof address === "string") throw new Error("no port was given");
process.send?.(`http://127.0.0.1:${address.port}`);
process.once("disconnect", () => process.exit());
