import type { JSX } from "preact";

/** Outlines on a grid of 16, drawn with the colour of the text. */
const paths = {
  attach: "M11.5 6.5v4.5a3.5 3.5 0 0 1-7 0V5a2.3 2.3 0 0 1 4.6 0v5.6a1.1 1.1 0 0 1-2.2 0V6",
  close: "M4 4l8 8M12 4l-8 8",
  copy: "M6 6V3h7v7h-3M3 6h7v7H3z",
  done: "M3 8.5l3.5 3.5L13 4.5",
  down: "M8 3v10M4 9l4 4 4-4",
  edit: "M10.5 3.5l2 2L6 12l-2.7.7L4 10z",
  fork: "M5 3v10M5 8c4 0 6-1 6-5M3.5 3h3M9.5 3h3",
  keys: "M2 5h12v7H2zM4.5 7.5h1M7.5 7.5h1M10.5 7.5h1M5 9.8h6",
  list: "M3 4h10M3 8h10M3 12h10",
  menu: "M3 8h.01M8 8h.01M13 8h.01",
  new: "M8 3v10M3 8h10",
  receipt: "M4 2.5h8v11l-2-1.2-2 1.2-2-1.2-2 1.2zM6 6h4M6 8.5h4",
  retry: "M12.5 8a4.5 4.5 0 1 1-1.4-3.2M12.5 2.5v3h-3",
  "retry-with": "M11 8a4 4 0 1 1-1.2-2.8M11 2.8v2.6H8.4M12 11v4M10 13h4",
  search: "M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM10 10l3.5 3.5",
  send: "M8 13V3M4 7l4-4 4 4",
  settings: "M3 5h6M12 5h1M3 11h1M7 11h6M10.5 3.5v3M5.5 9.5v3",
  stop: "M4 4h8v8H4z",
  system: "M3 3h10v8H7l-3 2.5V11H3zM5.5 6h5M5.5 8h3",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  trash: "M3 4.5h10M6.5 4V2.8h3V4M4.5 4.5l.6 8.7h5.8l.6-8.7",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg
      class="icon-sign"
      data-icon={name}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
