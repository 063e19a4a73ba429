/** Of the demo's service account; its private half is src/seo/sources/searchconsole/demo-key.ts. SPKI in base64. */
export const demoPublicKey = [
  "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDOheaWAf1FsUMEXRiz7gqX4HYInmoqzvBOTncnC8uZ6VYy0B+b3Dl7IzTzaQ2Z",
  "xrxVb+SHolBWMx2D6/z4DQAb+YRD8x41JSOxmKg0oo2sl7ATMZZcNAo0azEyf2kS6JoufdWF+vqrQqEek9qgYvieGg9xxVQPWghY",
  "XyhGizwPRwIDAQAB",
].join("");
