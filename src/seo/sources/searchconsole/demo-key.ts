/** The key of the demo's service account: it opens the twin of Search Console and nothing else. PKCS #8 in base64. */
export const demoKey = [
  "MIICdQIBADANBgkqhkiG9w0BAQEFAASCAl8wggJbAgEAAoGBAM6F5pYB/UWxQwRdGLPuCpfgdgieairO8E5OdycLy5npVjLQH5vc",
  "OXsjNPNpDZnGvFVv5IeiUFYzHYPr/PgNABv5hEPzHjUlI7GYqDSijayXsBMxllw0CjRrMTJ/aRLomi591YX6+qtCoR6T2qBi+J4a",
  "D3HFVA9aCFhfKEaLPA9HAgMBAAECgYAzCmrLpiA3SjD68hs51NnvYT0qsiQhAlXntILENqkSF9YC5ub4+TuHkFL02YDQAYroPqgn",
  "UVkzhJyFzxwNHgFpdmEFUgwzrG6zwc9TVT0JDA4xBEiTuvUsnpI0Ndm17jX0uzGogihYbNr8h7gcGZeRRUhu1j+HAVQPUttDJ7N6",
  "QQJBAPyAlCuv9c7c9dj8oBgWxVlK9XRu7qrEZnnM0niXBAmDJlgCI8/I+AZuSJW0AHGxQX0yVDfecsQluoS30+f3iycCQQDRYkVY",
  "KxAl28JtIhY7JazDKBMYJvAMeYrOPmHkDMdSWD7tSJ3mdXLbSgg6Gz9sdJlW5d6m8qDa8B6zP5fYIG7hAkAKS3O/FD2BYaDkZ+hf",
  "Ew6YxWWcialRbRCAhslOAVo4yRAXJn8vSZJTMMvkzqH2ALQa1qJ4ZKlpNeCU6KnLG1yhAkApv2lKIhPvKHkEn3ZFRsbChpwABct5",
  "AUbexmtoN/AKCBRL5V2uVJ6ZAJLRWxtzOXBVdjHFobzWymekn7pb2mOhAkBiTqKDbj+9TdmkEIVxp1JTamWlBbs3bWWkWIeCZ/pU",
  "35ECHQGBV+CpE8/yeCEEhnHu7WCauoHfUpjIzNysSaqb",
].join("");
