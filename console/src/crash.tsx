import { Component, type ReactNode } from "react";
import { useTexts } from "./texts/index.ts";
import { Button, Logo } from "./ui/index.ts";
import "./app.css";

/** The last resort: a bug in the console shows a message instead of a blank page. */
export class Crash extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override render() {
    return this.state.crashed ? <Crashed /> : this.props.children;
  }
}

function Crashed() {
  const { faults } = useTexts();
  return (
    <div className="whole-page" role="alert">
      <Logo />
      <h1>{faults.crashed}</h1>
      <p>{faults.crashedHint}</p>
      <Button look="main" onClick={() => location.reload()}>
        {faults.reload}
      </Button>
    </div>
  );
}
