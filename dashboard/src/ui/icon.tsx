import { cx } from '../lib/cx.ts'

/** One set: a box of 24, round ends, no fills. `M` draws a point where a line has no length. */
const SHAPES = {
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  alert: 'M12 4 2.8 19.5h18.4L12 4ZM12 10v4M12 17v.01',
  archive: 'M3 5h18v4H3zM5 9v10h14V9M10 13h4',
  'arrow-down': 'M12 5v14M6 13l6 6 6-6',
  'arrow-in': 'M18 6 6 18M6 9v9h9',
  'arrow-out': 'M6 18 18 6M9 6h9v9',
  'arrow-up': 'M12 19V5M6 11l6-6 6 6',
  battery: 'M3 8h15v8H3zM21 11v2M6 12h6',
  bookmark: 'M7 4h10v16l-5-4-5 4z',
  book: 'M5 4h13v16H6.5A1.5 1.5 0 0 1 5 18.5zM5 18.5A1.5 1.5 0 0 1 6.5 17H18',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5',
  card: 'M3 6h18v12H3zM3 10h18M6 15h3',
  chart: 'M5 20V10M12 20V4M19 20v-7',
  check: 'M5 12.5 10 17.5 19 7',
  'check-double': 'M2 12.5 6.5 17.5 14.5 7M10.5 16l1.5 1.5L22 7',
  'chevron-down': 'M6 9.5l6 6 6-6',
  'chevron-left': 'M14.5 6l-6 6 6 6',
  'chevron-right': 'M9.5 6l6 6-6 6',
  clip: 'M19 11l-7.5 7.5a4.2 4.2 0 0 1-6-6L13 5a2.8 2.8 0 0 1 4 4l-7.5 7.5a1.4 1.4 0 0 1-2-2L14 8',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2',
  code: 'M8 6 2 12l6 6M16 6l6 6-6 6',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  dots: 'M5 12a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0M11.5 12a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0M18 12a.5.5 0 1 0 1 0 .5.5 0 0 0-1 0',
  download: 'M12 4v11M7 10.5l5 5 5-5M4 20h16',
  external: 'M14 4h6v6M20 4l-9 9M10 5H4v15h15v-6',
  eye: 'M2.5 12C5 7.5 8.2 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5S5 16.5 2.5 12ZM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6Z',
  'eye-off':
    'M4 4l16 16M9.5 6c.8-.3 1.6-.5 2.5-.5 3.8 0 7 2 9.5 6.5-.8 1.4-1.7 2.6-2.7 3.5M6 8c-1.3 1-2.5 2.3-3.5 4 2.5 4.5 5.7 6.5 9.5 6.5 1.3 0 2.5-.2 3.6-.7',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  filter: 'M4 7h16M7 12h10M10 17h4',
  flask: 'M9 3h6M10 3v6L4.5 18.5A1.7 1.7 0 0 0 6 21h12a1.7 1.7 0 0 0 1.5-2.5L14 9V3M7.5 15h9',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c2.5 2.5 3.5 5.3 3.5 8.5s-1 6-3.5 8.5c-2.5-2.5-3.5-5.3-3.5-8.5s1-6 3.5-8.5Z',
  help: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9.5 9.5a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.1.9-1.1 1.7M12 16.5v.01',
  image: 'M4 4h16v16H4zM4 16l4.5-4.5L16 19M14 14l2-2 4 4M9 8.5v.01',
  key: 'M15.5 4a4.5 4.5 0 1 1-3.9 6.7L4 18.3V21h3v-2h2v-2h1.5l2.2-2.2M16.5 7.5v.01',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  list: 'M9 6h12M9 12h12M9 18h12M4 6v.01M4 12v.01M4 18v.01',
  lock: 'M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11',
  mail: 'M3 5h18v14H3zM3 6l9 7 9-7',
  menu: 'M4 7h16M4 12h16M4 17h16',
  message: 'M4 4h16v13H9l-5 4z',
  mic: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
  minus: 'M5 12h14',
  monitor: 'M3 4h18v12H3zM8 20h8M12 16v4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  pause: 'M9 6v12M15 6v12',
  phone: 'M7 2.5h10v19H7zM11 18.5h2',
  pin: 'M12 21c4.7-5 7-8.3 7-11a7 7 0 0 0-14 0c0 2.7 2.3 6 7 11ZM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  play: 'M7 4.5v15l12-7.5z',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 5v5h-5M4 19v-5h5M5.5 9.5A7.5 7.5 0 0 1 19.5 10M18.5 14.5A7.5 7.5 0 0 1 4.5 14',
  replay: 'M4 5v5h5M4.5 10a8 8 0 1 1-.3 4.5',
  search: 'M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM16 16l4.5 4.5',
  send: 'M21 3 3 10.5l7 3.5 3.5 7zM10 14 21 3',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5v.01M8 16.5v.01',
  settings:
    'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  shield: 'M12 3l8 3v6c0 4.5-3 7.5-8 9.5-5-2-8-5-8-9.5V6z',
  smile: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM8.5 14c1 1.3 2.1 2 3.5 2s2.5-.7 3.5-2M9 9.5v.01M15 9.5v.01',
  sort: 'M8 9.5l4-4 4 4M8 14.5l4 4 4-4',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM12 2.5V4M12 20v1.5M2.5 12H4M20 12h1.5M5.3 5.3l1 1M17.7 17.7l1 1M5.3 18.7l1-1M17.7 6.3l1-1',
  template: 'M4 4h16v6H4zM4 14h7v6H4zM15 14h5v6h-5z',
  terminal: 'M4 6l6 6-6 6M12 18h8',
  text: 'M5 7V5h14v2M12 5v14M9 19h6',
  trash: 'M4 6.5h16M9 6.5V4h6v2.5M6 6.5 7 21h10l1-14.5M10 11v6M14 11v6',
  upload: 'M12 20V9M7 13.5l5-5 5 5M4 4h16',
  users:
    'M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.5 20c0-3.5 2.5-5.5 6.5-5.5s6.5 2 6.5 5.5M15.5 5a3.5 3.5 0 0 1 0 6.3M18 15c2.3.7 3.5 2.5 3.5 5',
  video: 'M3 6h12v12H3zM15 10.5l6-3.5v10l-6-3.5',
  webhook:
    'M12 3.5a3.5 3.5 0 0 1 3 5.3l-.5.8 3 5.4M9.5 9.5 6.5 15M9.5 9.5A3.5 3.5 0 0 1 9 5.3M6.5 13.5a3.5 3.5 0 1 0 3 5.3h5M18 14a3.5 3.5 0 1 1-2.8 5.5',
  x: 'M6 6l12 12M18 6 6 18',
  'ring-dashed':
    'M12 3.5a8.5 8.5 0 0 1 4 1M19.3 7.7a8.5 8.5 0 0 1 1.2 4M19.6 15.8a8.5 8.5 0 0 1-2.9 3.3M12.7 20.5a8.5 8.5 0 0 1-4-.7M5 16.8a8.5 8.5 0 0 1-1.4-4M4.3 8.4A8.5 8.5 0 0 1 7 5.1',
  'ring-tick': 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM8 12.3l2.8 2.7L16 9.5',
  'ring-cross': 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9 9l6 6M15 9l-6 6',
  'ring-bars': 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM10 9v6M14 9v6',
  'ring-minus': 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM8.5 12h7',
  arc: 'M12 3.5a8.5 8.5 0 1 0 8.5 8.5',
} as const

export type IconName = keyof typeof SHAPES

const STROKE = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.75 } as const

/** A picture beside a word that says the same; where it stands alone, its button has a label. */
export function Icon({ name, size = 16, className }: { name: IconName; size?: 12 | 14 | 16 | 20; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      className={cx('shrink-0', className)}
      {...STROKE}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={SHAPES[name]} />
    </svg>
  )
}

/** The logo: a line with one stop. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <g className="stroke-on-accent" fill="none" strokeWidth="1.75" strokeLinecap="round">
        <path d="M4 12h4m8 0h4" />
        <circle cx="12" cy="12" r="3.5" />
      </g>
    </svg>
  )
}
