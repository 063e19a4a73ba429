import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import "./menu.css";

interface Props {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}

/** A button with a list of actions under it. The browser's popover closes it on Escape and on a click elsewhere. */
export function Menu({ label, trigger, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  const place = () => {
    const edge = button.current?.getBoundingClientRect();
    if (!edge || !list.current) return;
    list.current.style.top = `${edge.bottom + 6}px`;
    list.current.style.right = `${Math.max(8, document.documentElement.clientWidth - edge.right)}px`;
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        title={label}
      >
        {trigger}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu"
        onBeforeToggle={place}
        onToggle={(event) => {
          const opened = event.newState === "open";
          setOpen(opened);
          if (opened) itemsOf(event.currentTarget)[0]?.focus();
        }}
        onKeyDown={walk}
      >
        {children}
      </div>
    </>
  );
}

interface ItemProps {
  readonly icon?: ReactNode;
  /** Given for one choice among several; absent for an action. */
  readonly chosen?: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

export function MenuItem({ icon, chosen, onChoose, children }: ItemProps) {
  return (
    <button
      type="button"
      className="menu-item"
      tabIndex={-1}
      {...(chosen === undefined ? { role: "menuitem" } : { role: "menuitemradio", "aria-checked": chosen })}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
        onChoose();
      }}
    >
      {icon}
      <span>{children}</span>
      {chosen && <Check aria-hidden="true" className="menu-check" />}
    </button>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(".menu-item")];
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

function walk(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key === "Tab") event.currentTarget.hidePopover();
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const items = itemsOf(event.currentTarget);
  const at = items.findIndex((item) => item.matches(":focus"));
  items[step(at, items.length)]?.focus();
}
