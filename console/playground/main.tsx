import "@fontsource-variable/golos-text";
import "./styles/index.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { SettingsProvider } from "./settings.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");

createRoot(root).render(
  <StrictMode>
    <SettingsProvider>
      <App />
    </SettingsProvider>
  </StrictMode>,
);
