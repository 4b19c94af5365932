import { useState } from 'react'

type Fields<Form> = {
  form: Form
  setForm: (form: Form) => void
  /** The value of a text field, and what changes it. */
  bind: (name: keyof Form & string) => {
    name: string
    value: string
    onChange: (event: { target: { value: string } }) => void
  }
}

/** The texts of a form, by the names of its fields. */
export function useFields<Form extends Record<string, string>>(initial: Form): Fields<Form> {
  const [form, setForm] = useState(initial)
  return {
    form,
    setForm,
    bind: (name) => ({
      name,
      value: form[name] ?? '',
      onChange: (event) => setForm((before) => ({ ...before, [name]: event.target.value })),
    }),
  }
}
