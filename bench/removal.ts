type Removal = { remove: () => Promise<void>; removed?: Promise<void> }

const pending = new Set<Removal>()

/** A benchmark removes what it has created by the returned function, or by `removeAll` if it is interrupted before. */
export function removeLater(remove: () => Promise<void>): () => Promise<void> {
  const removal: Removal = { remove }
  pending.add(removal)
  return () => removeOnce(removal)
}

/** The last that was created goes first. */
export async function removeAll(): Promise<void> {
  for (const removal of [...pending].reverse()) await removeOnce(removal)
}

async function removeOnce(removal: Removal): Promise<void> {
  removal.removed ??= removal.remove()
  await removal.removed
  pending.delete(removal)
}
