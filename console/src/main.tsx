import "@fontsource-variable/golos-text";
import "./styles/colours.css";
import "./styles/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "./api/index.ts";
import { App } from "./app.tsx";
import { Crash } from "./crash.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <Crash>
      <QueryClientProvider client={createClient()}>
        <App />
      </QueryClientProvider>
    </Crash>
  </StrictMode>,
);
