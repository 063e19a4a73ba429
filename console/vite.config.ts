import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Two pages: the console, served by the server, and the chat playground, served by the twins. */
export default defineConfig({
  root: here("."),
  base: "/",
  plugins: [react()],
  build: {
    outDir: here("../dist/web"),
    emptyOutDir: true,
    rolldownOptions: { input: { console: here("index.html"), playground: here("playground.html") } },
  },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8080",
      "/_control": "http://127.0.0.1:8090",
      "/_blobs": "http://127.0.0.1:8090",
    },
  },
});
