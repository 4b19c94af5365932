/** Content that is hidden. The length of the bar says nothing of the text's. */
export function Masked({ label, seed }: { label: string; seed: string }) {
  const width = 40 + (seed.charCodeAt(seed.length - 1) % 12) * 10
  return (
    <svg role="img" aria-label={label} width={width} height="8" className="text-line-2">
      <line x1="2" y1="4" x2={width} y2="4" stroke="currentColor" strokeWidth="7" strokeDasharray="4 3" />
    </svg>
  )
}
