/** The path of each icon, on a grid of 16 by 16. */
const STROKES = {
  home: 'M2.5 7.2L8 2.5l5.5 4.7M4 6.2v7.3h8V6.2M6.5 13.5v-4h3v4',
  people: 'M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.4-2.7 2.3-4 5-4s4.6 1.3 5 4',
  card: 'M1.5 4.5a1 1 0 0 1 1-1h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1zM1.5 6.5h13M4 10h3',
  transfer: 'M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13',
  session: 'M8 1.8l5 2v4c0 3.2-2.1 5.4-5 6.4-2.9-1-5-3.2-5-6.4v-4zM5.8 8l1.6 1.6 2.9-3',
  request: 'M3 4.5h10M3 8h7M3 11.5h8.5',
  webhook: 'M8 5.8a2 2 0 1 0-1.7-.9L4 9.2M8 5.8l2.3 4M4 9.2a2 2 0 1 0 1.9 2.6h4.3M10.3 9.8a2 2 0 1 1-.1 3.2',
  fault: 'M8 2.2l6 10.8H2zM8 6.5v3M8 11.2v.1',
  settings:
    'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  present: 'M2 3h12v7.5H2zM8 10.5v3M5.5 13.5h5M7 5.2l2.6 1.6L7 8.4z',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  auto: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 2.5v11M8 5h4M8 8h5.3M8 11h4',
  help: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM6.2 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2M8 11.2v.1',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  close: 'M4 4l8 8M12 4l-8 8',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  back: 'M9.5 3.5L5 8l4.5 4.5',
  history: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.5v2.8h2.8M8 5.2V8l2 1.4',
  undo: 'M5.5 3L2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H6',
  next: 'M6.5 3.5L11 8l-4.5 4.5',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2',
  play: 'M5 3.2l7.5 4.8L5 12.8z',
  pause: 'M5 3v10M11 3v10',
  eye: 'M1.5 8C3 5.2 5.2 3.8 8 3.8S13 5.2 14.5 8C13 10.8 10.8 12.2 8 12.2S3 10.8 1.5 8zM8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6z',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.8h-2.8',
  phone: 'M4.5 1.5h7v13h-7zM7 12.5h2',
  bank: 'M2 6l6-3.5L14 6zM3.5 6v5.5M6.5 6v5.5M9.5 6v5.5M12.5 6v5.5M2 13.5h12',
  shop: 'M2.5 6.5h11M3 6.5l1-4h8l1 4M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4',
  building: 'M3.5 14v-11.5h9V14M2 14h12M6 5.5h1M9 5.5h1M6 8.5h1M9 8.5h1M7 14v-2.5h2V14',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  clock: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6',
  send: 'M14 2L7.2 8.8M14 2L9.5 14l-2.3-5.2L2 6.5z',
} as const;

export type IconName = keyof typeof STROKES;

/** A decorative icon beside a text, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={STROKES[name]} />
    </svg>
  );
}
