/** Moves the focus to the search of the page, if it has one. */
export function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLInputElement>('[data-search]')
  if (search === null) return
  event.preventDefault()
  search.focus()
}
