import helmet from "@fastify/helmet";
import type { App } from "../app.ts";

/** The console loads nothing but its own files; small icons and fonts are inlined by its build as `data:`. */
const consolePolicy = {
  "default-src": ["'none'"],
  "script-src": ["'self'"],
  "style-src": ["'self'"],
  "img-src": ["'self'", "data:", "blob:"],
  "font-src": ["'self'", "data:"],
  "connect-src": ["'self'"],
  "manifest-src": ["'self'"],
  "base-uri": ["'none'"],
  "form-action": ["'self'"],
  "frame-ancestors": ["'none'"],
};

export async function securityHeaders(app: App, { publicUrl }: { publicUrl: string }): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: consolePolicy },
    // HSTS only for a server that is reached by https.
    strictTransportSecurity: publicUrl.startsWith("https:") && { maxAge: 180 * 24 * 60 * 60 },
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
  });
}
