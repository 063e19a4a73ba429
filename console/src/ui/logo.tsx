import "./logo.css";

/** A speech bubble with a voice inside: word of mouth. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path
        className="logo-bubble"
        d="M8 3h16a6 6 0 0 1 6 6v10a6 6 0 0 1-6 6h-9.5L8.6 29.6A1 1 0 0 1 7 28.8V25a6 6 0 0 1-5-6V9a6 6 0 0 1 6-6z"
      />
      <path className="logo-voice" d="M9.5 12.5v3M16 9v10M22.5 11.5v5" />
    </svg>
  );
}
