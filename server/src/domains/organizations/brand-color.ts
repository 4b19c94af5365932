/** The least contrast of text that WCAG 2.2 calls readable (AA). */
const CONTRAST_MIN = 4.5
const WHITE: Color = [255, 255, 255]
/** The surface of the pages in the dark theme, which `page.css` names. */
const DARK_SURFACE: Color = [18, 23, 22]
const MIX_STEPS = 20

type Color = [red: number, green: number, blue: number]

/** `on_light` has white text on it. `on_dark` is lighter, for the dark theme, and has the color of its surface as text. */
export type BrandColors = { on_light: string; on_dark: string }

/** Null if white text cannot be read on the color. The page then keeps the color of the hub. */
export function toBrandColors(text: string | null): BrandColors | null {
  if (text === null || readContrastWithWhite(text) < CONTRAST_MIN) return null
  const color = parseColor(text)
  const shares = Array.from({ length: MIX_STEPS + 1 }, (_, step) => step / MIX_STEPS)
  const mixed = shares.map((share) => mixWithWhite(color, share))
  const onDark = mixed.find((lighter) => contrastOf(lighter, DARK_SURFACE) >= CONTRAST_MIN) ?? WHITE
  return { on_light: text, on_dark: formatColor(onDark) }
}

/** The contrast of white text on a color, from 1 to 21. It is rounded down, so that 4.499 is not shown as enough. */
export function readContrastWithWhite(text: string): number {
  return Math.floor(contrastOf(parseColor(text), WHITE) * 100) / 100
}

function contrastOf(one: Color, other: Color): number {
  const [lower = 0, higher = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (higher + 0.05) / (lower + 0.05)
}

/** The relative luminance of WCAG. */
function luminanceOf(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const share = channel / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Color
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mixWithWhite(color: Color, share: number): Color {
  return color.map((channel) => Math.round(channel + (255 - channel) * share)) as Color
}

function parseColor(text: string): Color {
  return [1, 3, 5].map((start) => Number.parseInt(text.slice(start, start + 2), 16)) as Color
}

function formatColor(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
