export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

/** A list that came whole, as the lists inside other objects do. */
export function listObject<T>(data: T[], url: string): List<T> {
  return { object: 'list', data, has_more: false, url }
}
