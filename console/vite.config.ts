import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const { MOLVA_PORT = "8080", MOLVA_TWIN_PORT = "8090" } = process.env;
const molva = `http://127.0.0.1:${MOLVA_PORT}`;
const twins = `http://127.0.0.1:${MOLVA_TWIN_PORT}`;
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
      ...{ "/api": molva, "/docs": molva, "/_control": twins, "/_blobs": twins },
      // What readers see, embedded in the twins' page.
      ...{ "/telegraph": twins, "/wordpress": twins, "/vk": twins, "/pinterest": twins, "/yookassa": twins },
    },
  },
});
