import { generate } from 'lean-qr'

const QUIET = 4

/** A link to be read by a phone's camera: dark on white in both themes. */
export function QrCode({ text, label, size = 128 }: { text: string; label: string; size?: number }) {
  const code = generate(text)
  const width = code.size + 2 * QUIET
  let path = ''
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`
  }
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${width}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      className="shrink-0 rounded-card border border-line bg-white"
    >
      <path d={path} className="fill-black" />
    </svg>
  )
}
