import { describe, expect, it } from "vitest";
import { type FernetKey, open, parseFernetKey, seal } from "./fernet.ts";
import { generated, invalid, secret, verified } from "./fernet.vectors.ts";

const key = requireKey(secret);

describe("Fernet, against the published vectors", () => {
  it("seals the same token from the same time, vector and message", () => {
    const token = seal(Buffer.from(generated.message), key, new Date(generated.now), generated.iv);
    expect(token).toBe(generated.token);
  });

  it("opens a token made elsewhere and knows when it was sealed", () => {
    const opened = open(verified.token, key, { now: new Date(verified.now), ttlMs: verified.ttlMs });
    expect(opened).toEqual({
      ok: true,
      message: Buffer.from(verified.message),
      sealedAt: new Date(generated.now),
    });
  });

  it.each(invalid)("refuses $flaw", ({ token, now, reason }) => {
    expect(open(token, key, { now: new Date(now), ttlMs: 60_000 })).toEqual({ ok: false, reason });
  });

  it("looks at no time unless a time to live is given", () => {
    const token = seal(Buffer.from("старое"), key, new Date("1999-01-01T00:00:00Z"));
    expect(open(token, key)).toMatchObject({ ok: true, message: Buffer.from("старое") });
  });
});

function requireKey(text: string): FernetKey {
  const parsed = parseFernetKey(text);
  if (!parsed) throw new Error("the vectors' key is malformed");
  return parsed;
}
