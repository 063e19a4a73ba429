import { setTimeout as delay } from "node:timers/promises";
import { postText } from "../shared/posts.ts";

/** Posts through the HTTP door at an even rate until it is stopped. */
export function keepPosting(
  molvaUrl: string,
  secret: string,
  postsPerSecond: number,
): { stop(): Promise<void> } {
  let stopping = false;
  const posting = (async () => {
    const began = performance.now();
    const underWay = new Set<Promise<void>>();
    for (let number = 1; !stopping; number++) {
      await delay(Math.max(0, began + (number * 1_000) / postsPerSecond - performance.now()));
      const posted = post(molvaUrl, secret, postText(number)).finally(() => underWay.delete(posted));
      underWay.add(posted);
    }
    await Promise.all(underWay);
  })();
  return {
    async stop() {
      stopping = true;
      await posting;
    },
  };
}

async function post(molvaUrl: string, secret: string, text: string): Promise<void> {
  const answer = await fetch(`${molvaUrl}/api/v1/ingest`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-molva-secret": secret },
    body: JSON.stringify({ payload: { text } }),
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`a post was refused: ${answer.status} ${body}`);
}
