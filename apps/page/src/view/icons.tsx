// The page's icons: paths on a 24 by 24 field, drawn in the colour of the text.
const paths = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  fit: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM19.4 15a1.7 1.7 0 0 0 .3 1.9l.1.1-2.9 2.9-.1-.1a1.7 1.7 0 0 0-2.8 1.2V21h-4v-.1a1.7 1.7 0 0 0-2.8-1.1l-.1.1-2.9-2.9.1-.1A1.7 1.7 0 0 0 3.1 14H3v-4h.1a1.7 1.7 0 0 0 1.2-2.8l-.1-.1 2.9-2.9.1.1A1.7 1.7 0 0 0 10 3.100V3h4v.1a1.7 1.7 0 0 0 2.8 1.200l.1-.1 2.9 2.9-.1.100A1.7 1.7 0 0 0 20.9 10H21v4h-.1a1.7 1.7 0 0 0-1.5 1z',
  more: 'M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12l5 5 9-10',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  again: 'M20 11a8 8 0 1 0-2.3 6M20 5v6h-6',
  branch: 'M7 4v16M7 14c6 0 10-2 10-6M14 8l3-3 3 3',
  close: 'M6 6l12 12M18 6L6 18',
  down: 'M12 5v14M6 13l6 6 6-6',
  chevron: 'M9 6l6 6-6 6',
  file: 'M7 3h7l5 5v13H7zM14 3v5h5',
  resource: 'M12 4c4.4 0 8 1.3 8 3s-3.6 3-8 3-8-1.3-8-3 3.6-3 8-3zM4 7v10c0 1.7 3.6 3 8 3s8-1.3 8-3V7M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
  prompt: 'M5 5h14v11H9l-4 4z',
  tool: 'M14.5 6.500a4 4 0 0 0-5 5L4 17l3 3 5.5-5.500a4 4 0 0 0 5-5L15 12l-3-3z',
  canvas: 'M4 5h7v6H4zM14 14h6v5h-6zM11 8h6v6',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  save: 'M12 4v11M7 10l5 5 5-5M5 20h14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4 12H2M22 12h-2M5 5l1.5 1.500M17.5 17.500L19 19M5 19l1.5-1.500M17.5 6.500L19 5',
  moon: 'M20 14.500A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.500z',
  alert: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a text, or in a button that has a name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
