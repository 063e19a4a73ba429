/** The published vectors of github.com/fernet/spec: generate.json, verify.json, invalid.json. */
export const secret = "cw_0x689RpI-jtRR7oE8h_eQsKImvJapLeSbXpwF4e4=";

export const generated = {
  token:
    "gAAAAAAdwJ6wAAECAwQFBgcICQoLDA0ODy021cpGVWKZ_eEwCGM4BLLF_5CV9dOPmrhuVUPgJobwOz7JcbmrR64jVmpU4IwqDA==",
  now: "1985-10-26T01:20:00-07:00",
  iv: Uint8Array.from({ length: 16 }, (_, index) => index),
  message: "hello",
};

export const verified = {
  token: generated.token,
  now: "1985-10-26T01:20:01-07:00",
  ttlMs: 60_000,
  message: "hello",
};

/** All but "expired" are checked one second after the minute; the time to live is always a minute. */
export const invalid = [
  {
    flaw: "an incorrect MAC",
    token:
      "gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykQUFBQUFBQUFBQQ==",
    now: "1985-10-26T01:20:01-07:00",
    reason: "wrong_key_or_altered",
  },
  {
    flaw: "too few bytes",
    token: "gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPA==",
    now: "1985-10-26T01:20:01-07:00",
    reason: "malformed",
  },
  {
    flaw: "invalid base64",
    token:
      "%%%%%%%%%%%%%AECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykRtfsH-p1YsUD2Q==",
    now: "1985-10-26T01:20:01-07:00",
    reason: "malformed",
  },
  {
    flaw: "a payload that is not a multiple of the block size",
    token: "gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPOm73QeoCk9uGib28Xe5vz6oxq5nmxbx_v7mrfyudzUm",
    now: "1985-10-26T01:20:01-07:00",
    reason: "malformed",
  },
  {
    flaw: "a payload padding error",
    token:
      "gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0ODz4LEpdELGQAad7aNEHbf-JkLPIpuiYRLQ3RtXatOYREu2FWke6CnJNYIbkuKNqOhw==",
    now: "1985-10-26T01:20:01-07:00",
    reason: "bad_padding",
  },
  {
    flaw: "a time in the far future (unacceptable clock skew)",
    token:
      "gAAAAAAdwStRAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAnja1xKYyhd-Y6mSkTOyTGJmw2Xc2a6kBd-iX9b_qXQcw==",
    now: "1985-10-26T01:20:01-07:00",
    reason: "from_the_future",
  },
  {
    flaw: "an expired time to live",
    token:
      "gAAAAAAdwJ6xAAECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAl1-szkFVzXTuGb4hR8AKtwcaX1YdykRtfsH-p1YsUD2Q==",
    now: "1985-10-26T01:21:31-07:00",
    reason: "expired",
  },
  {
    flaw: "an incorrect IV, which shows as a padding error",
    token:
      "gAAAAAAdwJ6xBQECAwQFBgcICQoLDA0OD3HkMATM5lFqGaerZ-fWPAkLhFLHpGtDBRLRTZeUfWgHSv49TF2AUEZ1TIvcZjK1zQ==",
    now: "1985-10-26T01:20:01-07:00",
    reason: "bad_padding",
  },
] as const;
