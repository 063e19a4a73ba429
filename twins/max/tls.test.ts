import { Agent, fetch } from "undici";
import { expect, test } from "vitest";
import { startTestTwins } from "../shared/testing.ts";
import { createAuthority, hasOpenssl } from "./testing-authority.ts";

test.skipIf(!hasOpenssl())(
  "a client reaches the twin behind a private root only when it loads that root",
  async () => {
    const { ca, key, cert } = createAuthority();
    const twins = await startTestTwins({ tls: { key, cert } });
    const url = `https://127.0.0.1:${new URL(twins.url).port}/max/me`;

    const refused: unknown = await fetch(url).catch((error: unknown) => error);
    expect(refused).toMatchObject({ cause: { code: expect.stringMatching(/SELF_SIGNED_CERT|UNABLE_TO_/) } });

    const dispatcher = new Agent({ connect: { ca } });
    const answer = await fetch(url, { dispatcher });
    expect(answer.status).toBe(401);
    await dispatcher.close();
    await twins.close();
  },
);
